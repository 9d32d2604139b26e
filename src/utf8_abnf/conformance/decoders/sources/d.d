// Decoders of D's standard library over the stream protocol: d NAME, one of those in accepts below.
import std.array, std.bitmanip, std.exception, std.stdio, std.utf;

string name;

bool accepts(ubyte[] bytes)
{
    auto data = cast(string) bytes.idup;
    switch (name)
    {
    case "control":
        ubyte sum;
        foreach (each; bytes)
            sum += each;
        return sum < 128;
    case "utf-validate":
        try
        {
            validate(data);
            return true;
        }
        catch (UTFException)
            return false;
    case "utf-decode":
        return firstError(data) == size_t.max;
    default:
        throw new Exception(name);
    }
}

// decode() leaves the index where it is when it throws.
size_t firstError(string data)
{
    size_t at;
    while (at < data.length)
    {
        try
            decode(data, at);
        catch (UTFException)
            return at;
    }
    return size_t.max;
}

string replaced(ubyte[] bytes)
{
    auto data = cast(string) bytes.idup;
    string text;
    foreach (each; data.byDchar)
        text ~= each;
    return text;
}

void main(string[] arguments)
{
    name = arguments[1];
    immutable modes = name == "utf-decode" ? "v,p,r" : "v";
    stdout.write("utf8-abnf 1 modes=", modes, " name=d-", name, "\n");
    stdout.flush();
    immutable mode = stdin.readln()[0];
    ubyte[4] head;
    while (stdin.rawRead(head[]).length == 4)
    {
        auto data = new ubyte[littleEndianToNative!uint(head)];
        if (data.length)
            stdin.rawRead(data);
        if (mode == 'r')
        {
            auto text = replaced(data);
            stdout.rawWrite(nativeToLittleEndian(cast(uint) text.length)[]);
            stdout.rawWrite(text);
        }
        else if (mode == 'p')
        {
            // D tells where, not how many bytes are wrong: length 0.
            stdout.rawWrite(nativeToLittleEndian(cast(uint) firstError(cast(string) data.idup))[] ~ cast(ubyte) 0);
        }
        else
            stdout.write(accepts(data) ? '1' : '0');
        stdout.flush();  // nothing tells whether the input has run dry
    }
}
