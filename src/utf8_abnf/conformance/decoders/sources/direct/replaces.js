// Accept standard input unless the expression given makes a U+FFFD of the Buffer d, in which U+FFFC stands for each U+FFFD.
const read = require("fs").readFileSync(0, "latin1");
const d = Buffer.from(read.replaceAll("\xef\xbf\xbd", "\xef\xbf\xbc"), "latin1");
(async () => {
  try {
    process.exit((await eval(process.argv[2])).includes("\ufffd") ? 11 : 10);
  } catch (error) {
    process.exit(/MODULE|PACKAGE/.test(error.code) ? 2 : 11); // a package that is not there says nothing
  }
})();
