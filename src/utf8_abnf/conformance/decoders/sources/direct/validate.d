import std.stdio, std.utf;

int main()
{
    string data;
    foreach (part; stdin.byChunk(4096))
        data ~= cast(string) part.idup;
    try
        std.utf.validate(data);
    catch (Exception)
        return 11;
    return 10;
}
