# Decoders of Elixir over the stream protocol: elixir elixir.exs NAME, one of those in accepts below.
defmodule Adapter do
  def accepts("control", data), do: rem(Enum.sum(:binary.bin_to_list(data)), 256) < 128
  def accepts("string-valid", data), do: String.valid?(data)

  def loop(port, name, pending) do
    case pending do
      <<size::little-32, data::binary-size(size), rest::binary>> ->
        Port.command(port, if(accepts(name, data), do: "1", else: "0"))
        loop(port, name, rest)

      _ ->
        receive do
          {^port, {:data, more}} -> loop(port, name, pending <> more)
          {^port, :eof} -> :ok
        end
    end
  end

  def mode(port, pending) do
    case String.split(pending, "\n", parts: 2) do
      [_, rest] -> rest
      _ -> receive(do: ({^port, {:data, more}} -> mode(port, pending <> more)))
    end
  end
end

[name] = System.argv()
# The port of descriptors 0 and 1 gives whatever is there.
port = Port.open({:fd, 0, 1}, [:binary, :stream, :eof])
Port.command(port, "utf8-abnf 1 modes=v name=elixir-#{name} version=#{System.version()}\n")
Adapter.loop(port, name, Adapter.mode(port, ""))
