// Decoders of Pike over the stream protocol: pike pike.pike NAME, one of those in accepts below.
string name;

int accepts(string data)
{
    switch (name) {
    case "control": return Array.sum(({0}) + (array(int))data) % 256 < 128;
    // Pike raises an error for what is wrong.
    case "utf8-to-string": return !catch(utf8_to_string(data));
    }
}

int main(int count, array(string) arguments)
{
    name = arguments[1];
    Stdio.stdout->write("utf8-abnf 1 modes=v name=pike-%s version=%d.%d.%d\n", name, __REAL_MAJOR__, __REAL_MINOR__,
        __REAL_BUILD__);
    string pending = "", mode;
    while (string more = Stdio.stdin->read(65536, 1)) {
        if (more == "") break;
        pending += more;
        if (!mode) {
            int end = search(pending, "\n");
            if (end < 0) continue;
            mode = pending[..end - 1];
            pending = pending[end + 1..];
        }
        int at;
        string answers = "";
        while (sizeof(pending) >= at + 4) {
            sscanf(pending[at..at + 3], "%-4c", int size);
            if (sizeof(pending) < at + 4 + size) break;
            answers += accepts(pending[at + 4..at + 3 + size]) ? "1" : "0";
            at += 4 + size;
        }
        pending = pending[at..];
        Stdio.stdout->write("%s", answers);
    }
}
