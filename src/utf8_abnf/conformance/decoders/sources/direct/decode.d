import std.stdio, std.utf;

int main()
{
    string data;
    foreach (part; stdin.byChunk(4096))
        data ~= cast(string) part.idup;
    try
        for (size_t at; at < data.length;)
            std.utf.decode(data, at);
    catch (Exception)
        return 11;
    return 10;
}
