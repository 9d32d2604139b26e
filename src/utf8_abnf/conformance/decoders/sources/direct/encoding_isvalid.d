import std.encoding, std.stdio;

int main()
{
    string data;
    foreach (part; stdin.byChunk(4096))
        data ~= cast(string) part.idup;
    return std.encoding.isValid(data) ? 10 : 11;
}
