#!/usr/bin/env escript
%%! -noinput
%% Decoders of Erlang over the stream protocol: escript erlang.escript NAME, one of those in accepts/2 below.

accepts("control", Data) -> lists:sum(binary_to_list(Data)) rem 256 < 128;
accepts("characters-to-binary", Data) -> is_binary(unicode:characters_to_binary(Data, utf8, utf16)).

modes("characters-to-binary") -> "v,p,s";
modes(_) -> "v".

answer("v", Name, Data) ->
    case accepts(Name, Data) of true -> "1"; false -> "0" end;
answer("p", _, Data) ->  % Erlang gives what comes before and what comes after, not how many bytes are wrong: length 0
    case unicode:characters_to_binary(Data) of
        Good when is_binary(Good) -> <<16#FFFFFFFF:32, 0>>;
        {_, Good, _} -> <<(byte_size(Good)):32/little, 0>>
    end;
answer("s", _, <<Count:32/little, Frame/binary>>) ->
    <<Sizes:(4 * Count)/binary, Data/binary>> = Frame,
    stream([Size || <<Size:32/little>> <= Sizes], Data, <<>>, []).

%% What is incomplete waits for the next chunk; wrong stays wrong.
stream([], _, Left, Answers) -> lists:reverse([case Left of <<>> -> $1; _ -> $0 end | Answers]);
stream([Size | Sizes], Data, Left, Answers) ->
    <<Chunk:Size/binary, Rest/binary>> = Data,
    case Left =/= wrong andalso unicode:characters_to_binary(<<Left/binary, Chunk/binary>>) of
        Good when is_binary(Good) -> stream(Sizes, Rest, <<>>, [$? | Answers]);
        {incomplete, _, More} -> stream(Sizes, Rest, More, [$? | Answers]);
        _ -> stream(Sizes, Rest, wrong, [$0 | Answers])
    end.

%% The port of descriptors 0 and 1 gives whatever is there.
loop(Port, Mode, Name, Pending) ->
    case Pending of
        <<Size:32/little, Data:Size/binary, Rest/binary>> ->
            port_command(Port, answer(Mode, Name, Data)),
            loop(Port, Mode, Name, Rest);
        _ ->
            receive
                {Port, {data, More}} -> loop(Port, Mode, Name, <<Pending/binary, More/binary>>);
                {Port, eof} -> ok
            end
    end.

mode(Port, Pending) ->
    case binary:split(Pending, <<"\n">>) of
        [Line, Rest] -> {binary_to_list(Line), Rest};
        _ -> receive {Port, {data, More}} -> mode(Port, <<Pending/binary, More/binary>>) end
    end.

main([Name]) ->
    Port = open_port({fd, 0, 1}, [binary, stream, eof]),
    Facts = [modes(Name), Name, erlang:system_info(version), erlang:system_info(otp_release)],
    port_command(Port, io_lib:format("utf8-abnf 1 modes=~s name=erlang-~s version='erts ~s, OTP ~s'~n", Facts)),
    {Mode, Rest} = mode(Port, <<>>),
    loop(Port, Mode, Name, Rest).
