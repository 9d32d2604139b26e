// Accept standard input unless the expression given makes more U+FFFD of the Buffer d than there are in it.
const d = require("fs").readFileSync(0);
const count = (text, mark) => text.split(mark).length;
(async () => {
  let text;
  try {
    text = await eval(process.argv[2]);
  } catch (error) {
    process.exit(/MODULE|PACKAGE/.test(error.code) ? 2 : 11); // a package that is not there says nothing
  }
  process.exit(count(text, "\ufffd") > count(d.toString("latin1"), "\xef\xbf\xbd") ? 11 : 10);
})();
