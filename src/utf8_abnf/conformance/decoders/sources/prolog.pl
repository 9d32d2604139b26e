% Decoders of SWI-Prolog over the stream protocol: swipl prolog.pl NAME; NAME is utf8-codes or control.
:- use_module(library(lists)).
:- use_module(library(utf8)).

:- initialization(main, main).

accepts(control, Data) :- sum_list(Data, Sum), Sum mod 256 < 128.
accepts('utf8-codes', Data) :- phrase(utf8_codes(_), Data), !.

main([Name]) :-
    set_stream(user_input, type(binary)),
    set_stream(user_output, type(binary)),
    current_prolog_flag(version, Version),
    Major is Version // 10000, Minor is Version // 100 mod 100, Patch is Version mod 100,
    format(codes(Hello), 'utf8-abnf 1 modes=v name=swipl-~w version=~w.~w.~w~n', [Name, Major, Minor, Patch]),
    maplist(put_byte, Hello),
    flush_output,
    get_byte(_),
    repeat, get_byte(10), !,
    serve(Name).

serve(Name) :-
    bytes(4, [A, B, C, D]), D >= 0, !,
    Size is A + (B << 8) + (C << 16) + (D << 24),
    bytes(Size, Data),
    ( accepts(Name, Data) -> put_byte(0'1) ; put_byte(0'0) ),
    flush_output,  % nothing tells whether the input has run dry
    serve(Name).
serve(_).

bytes(0, []) :- !.
bytes(Count, [Byte|Bytes]) :- get_byte(Byte), Left is Count - 1, bytes(Left, Bytes).
