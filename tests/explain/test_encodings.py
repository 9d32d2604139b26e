"""Many encodings of the texts of many languages: what is named with confidence reads them as they were written."""

import pytest

from utf8_abnf.explain import encodings
from utf8_abnf.explain.diagnosis import diagnose
from utf8_abnf.explain.locating import last_word
from utf8_abnf.explain.nature import nature_of
from utf8_abnf.validator.functions import first_error

pytestmark = pytest.mark.thorough

# fmt: off
# A word and a line of each language, and encodings that can write them; the letters of many have one neighbour or more.
TEXTS = (
    ("de", "Größe",
     "Die Bürger der Stadt Köln fürchten höhere Gebühren für Straßenbahn und Müllabfuhr.",
     "cp1252 iso8859-1 iso8859-15 cp850 cp437 cp858 mac_roman "
     "iso8859-2 cp852 cp1250 cp1257 iso8859-4 iso8859-9 cp1254 cp857 mac_latin2"),
    ("fr", "déjà",
     "Les élèves préfèrent être à l'école où ça mène très loin, déjà vu.",
     "cp1252 iso8859-1 iso8859-15 cp850 cp437 cp858 mac_roman cp863 iso8859-9 cp1254"),
    ("es", "niño",
     "El niño pequeño comió una piña en la montaña; ¿dónde está el corazón de la canción?",
     "cp1252 iso8859-1 iso8859-15 cp850 cp437 cp858 mac_roman cp860"),
    ("pt", "não",
     "A educação não é só para crianças; são três lições à tarde, amanhã há informação.",
     "cp1252 iso8859-1 cp850 cp860 mac_roman cp858"),
    ("sv", "själv",
     "Sjöar och älvar är vackra på våren; därför åker många människor dit.",
     "cp1252 iso8859-1 iso8859-15 cp850 cp437 cp858 mac_roman cp865 iso8859-10 iso8859-4"),
    ("da", "rødgrød",
     "På øen går får og æder græs; vær så god at prøve rødgrød med fløde.",
     "cp1252 iso8859-1 cp865 cp850 mac_roman iso8859-4 iso8859-10"),
    ("fi", "hyvää",
     "Hän ei pystynyt näkemään, että äiti löysi pöydältä kynän; tämä on hyvä päivä.",
     "cp1252 iso8859-1 iso8859-15 cp850 cp437 cp858 mac_roman cp865 cp775 iso8859-4"),
    ("is", "það",
     "Það er gott að búa á Íslandi, þar sem fjöllin eru há og sjórinn kaldur í öllum áttum.",
     "cp1252 iso8859-1 cp861 cp850 mac_iceland iso8859-10"),
    ("pl", "żółty",
     "Zażółć gęślą jaźń; książka leży na półce, a źródło światła świeci.",
     "cp1250 iso8859-2 cp852 mac_latin2 iso8859-16"),
    ("cs", "kůň",
     "Příliš žluťoučký kůň úpěl ďábelské ódy; dnes je krásný den a svítí slunce.",
     "cp1250 iso8859-2 cp852 mac_latin2"),
    ("hu", "őrült",
     "Árvíztűrő tükörfúrógép; a gyerekek örülnek a nyári szünetnek és a jó időnek.",
     "cp1250 iso8859-2 cp852 mac_latin2 iso8859-16"),
    ("hr", "čovjek",
     "Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima; željezo, šuma, čaša.",
     "cp1250 iso8859-2 cp852 mac_croatian mac_latin2 iso8859-16"),
    ("ro", "română",
     "Toate ființele umane se nasc libere și egale în demnitate și în drepturi; țară, mâine, înțelept.",
     "cp1250 iso8859-2 cp852 mac_romanian"),
    ("ru", "мир",
     "Привет, мир! Сегодня хорошая погода, и мы идём гулять в парк.",
     "cp1251 koi8_r cp866 cp855 iso8859-5 mac_cyrillic koi8_u ptcp154 kz1048"),
    ("uk", "їжак",
     "Привіт, світе! Сьогодні гарна погода, і ми йдемо гуляти їхнім парком.",
     "cp1251 koi8_u cp1125 iso8859-5 mac_cyrillic cp855"),
    ("bg", "ъгъл",
     "Всички хора се раждат свободни и равни по достойнство и права; ъгълът е прав.",
     "cp1251 koi8_r cp866 cp855 iso8859-5 mac_cyrillic"),
    ("sr", "људи",
     "Сва људска бића рађају се слободна и једнака у достојанству и правима; ђак, њива, џеп.",
     "cp1251 cp855 iso8859-5 mac_cyrillic"),
    ("el", "ήλιος",
     "Καλημέρα κόσμε. Σήμερα ο καιρός είναι καλός και πηγαίνουμε βόλτα στο πάρκο.",
     "cp1253 iso8859-7 cp737 cp869 mac_greek"),
    ("tr", "güneş",
     "Bugün hava çok güzel, çocuklar ağaçların altında oynuyor; İstanbul'da ışık var.",
     "cp1254 iso8859-9 cp857 mac_turkish iso8859-3"),
    ("he", "שלום",
     "שלום עולם. היום מזג האוויר יפה ואנחנו הולכים לטייל בפארק.",
     "cp1255 iso8859-8 cp862 cp856"),
    ("ar", "سلام",
     "مرحبا بالعالم. الطقس جميل اليوم ونحن نذهب للتنزه في الحديقة.",
     "cp1256 iso8859-6 cp864 cp720"),
    ("th", "ไทย",
     "วันนี้อากาศดีมาก เราไปเดินเล่นในสวนสาธารณะ",
     "cp874 tis_620 iso8859-11"),
    ("lt", "žuvis",
     "Visi žmonės gimsta laisvi ir lygūs, jiems suteiktas protas ir sąžinė, ąžuolas, šiaurė.",
     "cp1257 iso8859-13 iso8859-4 cp775"),
    ("lv", "zieķis",
     "Visi cilvēki piedzimst brīvi un vienlīdzīgi savā pašcieņā un tiesībās; ģimene, ķēniņš.",
     "cp1257 iso8859-13 iso8859-4 cp775"),
    ("et", "öösel",
     "Kõik inimesed sünnivad vabadena ja võrdsetena oma väärikuselt ja õigustelt; öö, äär.",
     "cp1257 iso8859-13 iso8859-15 cp775 iso8859-4 cp1252"),
    ("ja", "東京",
     "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャー"
     "ニャー泣いていた事だけは記憶している。吾輩はここで始めて人間というものを見た。しかもあとで聞くとそれ"
     "は書生という人間中で一番悪い種族であったそうだ。",
     "cp932 shift_jis euc_jp iso2022_jp shift_jis_2004 euc_jis_2004"),
    ("zh", "中国",
     "今天天气很好，我们去公园散步。这是一个简单的中文文本，用来测试编码检测。小李未写信，位置不明，谢谢大"
     "家的帮助。学习计算机科学需要很多时间和耐心，但是结果是值得的。老师回答了学生的问题，小学生喜欢写作业"
     "，因为没有别的事情可以做。",
     "gb2312 gbk gb18030 hz big5hkscs"),
    ("tw", "臺灣",
     "今天天氣很好，我們去公園散步。這是一個簡單的中文文本，用來測試編碼檢測。學習電腦科學需要很多時間和耐"
     "心，但是結果是值得的。我喜歡在圖書館看書，明天可能會下雨，請帶上雨傘。為了保護環境，委員會決定限制汽"
     "車數量。",
     "big5 big5hkscs cp950 gb18030"),
    ("ko", "한국",
     "안녕하세요. 오늘은 날씨가 좋아서 공원에 산책하러 갑니다. 이것은 간단한 문장입니다.",
     "cp949 euc_kr johab iso2022_kr"),
    ("sq", "është",
     "Të gjithë njerëzit lindin të lirë dhe të barabartë në dinjitet dhe në të drejta; është, çaj, shumë mirë.",
     "cp1252 cp850 mac_roman iso8859-2 cp852 cp1250 iso8859-16"),
    ("ca", "això", "Tots els éssers humans neixen lliures i iguals; això és molt bé, però també hi ha qüestions.",
     "cp1252 cp850 mac_roman cp860 iso8859-15"),
    ("eu", "señor", "Gizon-emakume guztiak aske jaiotzen dira; pinguïno, España, señor, cañón, corazón, música, día.",
     "cp1252 cp850"),
    ("mk", "љубов", "Сите човечки суштества се раѓаат слободни; ќе дојде, ѓубре, ѕвезда, љубов, њива, џеб.",
     "cp1251 iso8859-5 cp855 mac_cyrillic"),
    ("be", "ўсё", "Усе людзі нараджаюцца свабоднымі і роўнымі ў сваёй годнасці і правах; ўсё было ціха.",
     "cp1251 iso8859-5 cp855 mac_cyrillic"),
    ("no", "blåbær", "Alle mennesker er født frie; vær så god, blåbær, øl, åtte, brød, å gå på tur.",
     "cp1252 cp865 cp850 mac_roman iso8859-10"),
)
# fmt: on
UTF8 = "naïve — 日本 text\n".encode()


def claim(data):
    """Return the encodings that are named for *data* with fair or high confidence; none where it is low."""
    error = first_error(data)
    if error is None or nature_of(data[:512]).is_known:
        return ()
    before, sample = data[: error.start], data[error.start :]
    found = diagnose(sample, error.start, word=last_word(before), is_ascii_before=before.isascii()).guess
    return found.codecs if found and found.confidence > encodings.LOW else ()


@pytest.mark.parametrize(("word", "line", "codecs"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_what_is_named_with_confidence_reads_a_text_as_it_was_written(word, line, codecs):
    named = 0
    for codec in codecs.split():
        for text in (word, line, f"{line}\n" * 20):
            data = text.encode(codec, "ignore")
            for before in (b"", UTF8):
                claimed = claim(before + data)
                named += bool(claimed)
                read = [data.decode(each, "replace") for each in claimed]
                assert not read or read[0] == data.decode(codec), (codec, claimed)
    assert named


@pytest.mark.parametrize(("codec", "row"), encodings.ENCODINGS.items(), ids=lambda value: value)
def test_each_name_is_one_of_python(codec, row):
    assert b"\xe9\xa4\xe2".decode(row[0].lower(), "replace") == b"\xe9\xa4\xe2".decode(codec, "replace")
