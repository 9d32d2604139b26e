import std.stdio;

int main()
{
    string data;
    foreach (part; stdin.byChunk(4096))
        data ~= cast(string) part.idup;
    dchar last;
    try
        foreach (dchar each; data)
            last = each;
    catch (Exception)
        return 11;
    return 10;
}
