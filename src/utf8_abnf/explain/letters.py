"""How likely a word is in a language: what tells encodings apart in which the same bytes are other letters.

A model of a language is the order of its letters, by how often they are used; the order is rough, and enough. Words
count once, however often they stand in a text. ``python tools/measure/guesses.py`` counts how often it is right.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import exp, log
from typing import NamedTuple
from unicodedata import category

# fmt: off
# Languages in Latin letters: those beyond ASCII, the most common first, and which share of all letters they are.
LATIN = (
    ("äüößÄÜÖ", .06), ("éàèêçôûîùâïëœ", .06), ("éèíóáêàùòì", .05), ("óáíéñúü", .05), ("ãçáéíóõêúâàô", .06),
    ("äåöé", .09), ("øåæé", .07), ("äö", .08), ("ëéïèó", .02), ("áðíóæéöþúý", .14), ("łąężśćóńź", .12),
    ("áíéěřčžšýůúťďňó", .17), ("áéíčýžšúľťôňäďóĺŕ", .16), ("áéöóőüíúű", .16), ("šžčćđ", .06), ("ăîâşţșț", .07),
    ("ıüİşğçöâî", .17), ("ąčęėįšųūž", .10), ("āīēšūžņļķģč", .14), ("ŭĉĝŝĵĥ", .04), ("ħżġċà", .08), ("õäüö", .06),
    ("ëç", .09), ("éèàóòíçúïü", .05),
    ("éüäöáóíèàçñãåøßêúôæõëïîâûùòìœýðþÿ", .06),  # names and loanwords of several languages of Western Europe
)
# Languages in other letters: all of them, the most common first.
OTHERS = (
    "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", "оаинівертсклмдпуязьбгчйхцїжєюшщфґ", "аиоетнрсвлкдпмзуягъбчшжцщюхйфь",
    "аоиенрсвтјкумдплзгбчљцшњжхћђфџќѓѕ", "аінеоыртсклядумзвбпгьцчшйўжхюэёф",
    "αοιετσνηυρπκμλωςίόάέδήγύχθφώβξζψϊ", "יוהלאתרבשמנדחכעקפםגןסטזץךף", "اليمنرتوبهةعدسفكقحجأشصطخىذزضغظئءإؤث",
    "านรอกเงมยลวดทสตะปบคหแจพชขใไโผธซภศถณฟญฐฝฉษฮฤฆฏฎฑฌฬๆำ",
)
# The most common characters of Chinese, simplified, and those that traditional writing has in their place; of Japanese,
# which has kana beside them; and the syllables of Korean.
SIMPLIFIED = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然"
    "家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把"
    "机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果"
    "加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔"
    "更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展"
    "马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共"
    "确传师观清今切院让识候带导争运"
)
TRADITIONAL = (
    "這個們來為國說時會對於著過發後裡種經麼學現當沒動還進樣開從實軍無與長機關點業將兩間問並應戰頭體見產話內給門兒東"
    "聲員論處義幾認條氣題爾別變總電數報結務場計資許統區隊決馬書則聽卻達強難權設記類據邊張該規萬覺術領確傳師觀讓識帶"
    "導爭運台灣臺"
)
KANJI = (
    "日一国人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男"
    "西電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意"
    "不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住無真有口少町料工建空"
    "急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走議民"
    "連対部合市内相定回選米実関決全表戦経最現調化当約首法性的要制治務成期取都和機平加受続進数記初指権支産点報済活原"
    "共得解交資予向際勝面告反判認参利組信在件側任引求所次昨論官増係感情投示変打直両式確果容必演歳争談能位置流格疑過"
    "局放常状球職与供役構割身費付由説難優夫収断石違消神番規術備宅害配警育席訪乗残想声念助労例然限追商葉伝働形景落好"
)
SYLLABLES = (
    "이다는에의하고가을지로사한기은서어대도리인자시나일정들아라해부보수장그스상여제만안원주구전무미성공과관마방비소"
    "신조치트를니게으면었있것적국동경연화문중세모실개진명선계생우오내날야회위간당단말물불용운음입재저직차초출통학할"
    "합행현형후습십없요와되된될던데때까네년남김거결교군려력르른론류란람래러레터토품평표피필호확환활황영예외울월육업"
    "알약양않바반발배법변별병본분북민속손송식심쓰씨청체최추축친크타태택점접족종좋집찾책처천철"
)
# fmt: on
_LEAST_SHARE = 0.1  # of letters beyond ASCII, as words without any are not looked at
_SHARE_OF_MARKS, _MARKS = log(0.02 / 16), "«»“”„‘’–—…°§€£¼½¾·№¿¡ºª،؟؛\u00a0，。、！？：（）「」・"
_IN_WORDS = "’·ª´"  # signs that may stand between letters
_OF_CURRENCY = log(0.002 / 16)  # of the sign ¤, which few texts have, though many encodings do
_ASCII = log(1 / 20)  # of a letter of ASCII in a language in Latin letters
_FOREIGN, _SIGN, _KANA, _UNKNOWN = log(1e-4), log(1e-5), log(0.5 / 90), log(1e-6)
_OF_VOWEL = log(1 / 40)  # of a vowel's sign in Thai, Hebrew or Arabic
_COMMON, _KNOWN, _RARE = 0.6, log(0.35 / 2700), log(0.02 / 5000)  # of characters: the share of the common ones in all
_LOWER, _TITLE, _UPPER, _ODD = log(0.7), log(0.24), log(0.06), log(0.001)


class Model(NamedTuple):
    """A language: the logarithms of the shares of its *letters*, and of a letter of ASCII."""

    letters: dict[str, float]
    ascii: float


@cache
def models() -> tuple[Model, ...]:
    """Return the models of languages that have letters."""
    return (
        *(
            Model(_falling(letters, max(share, _LEAST_SHARE), 0.12 if len(letters) > 20 else 0.3), _ASCII)
            for letters, share in LATIN
        ),
        *(Model(_falling(letters, 0.98, 0.11), _FOREIGN) for letters in OTHERS),
    )


def _falling(letters: str, share: float, by: float) -> dict[str, float]:
    """Return shares that fall by the same factor from letter to letter."""
    weights = [exp(-by * rank) for rank in range(len(letters))]
    whole = sum(weights)
    return {letter: log(share * weight / whole) for letter, weight in zip(letters, weights, strict=True)}


class Characters(NamedTuple):
    """Those of an encoding of East Asia: the most *common* ones, those that are *known* beside them, and its kana."""

    common: frozenset[str]
    known: frozenset[str]
    has_kana: bool


def likelihood(words: tuple[str, ...], characters: Characters | None) -> float:
    """Return the logarithm of the likelihood of *words* in the language that fits best.

    *characters*: of East Asia, where the encoding has them; then no other model is asked.
    """
    if characters is not None:
        return sum(_of_ideographs(word, characters) for word in words)
    counts: Counter[str] = Counter()
    fixed = 0.0  # what is the same in all languages
    for word in words:
        fixed += _case(word) + sum(_of_sign(word, at) for at, letter in enumerate(word) if not letter.isalpha())
        counts.update(filter(str.isalpha, word))
    return fixed + max(
        sum(number * _of_letter(letter, model) for letter, number in counts.items()) for model in models()
    )


def _of_letter(letter: str, model: Model) -> float:
    if letter.isascii():
        return model.ascii
    return model.letters.get(letter) or model.letters.get(letter.lower()) or _SIGN


def _of_sign(word: str, at: int) -> float:
    sign = word[at]
    if sign.isascii():
        return _ASCII
    inside = 0 < at < len(word) - 1 and word[at - 1].isalpha() and word[at + 1].isalpha()
    if inside and sign in _IN_WORDS:
        return _SHARE_OF_MARKS
    if sign in _MARKS:
        return _SIGN if inside else _SHARE_OF_MARKS
    if sign == "¤":
        return _OF_CURRENCY
    if category(sign) == "Mn" and at and not word[at - 1].isascii():
        return _OF_VOWEL
    return _UNKNOWN if category(sign)[0] in "SC" else _SIGN


def _of_ideographs(word: str, characters: Characters) -> float:
    common, total = log(_COMMON / len(characters.common)), 0.0
    for character in word:
        if character.isascii():
            total += _ASCII
        elif character in characters.common:
            total += common
        elif character in characters.known:
            total += _KNOWN
        elif "\u3041" <= character <= "\u30fe":
            total += _KANA if characters.has_kana else _RARE
        elif character in _MARKS:
            total += _SHARE_OF_MARKS
        elif category(character)[0] == "L" and not "\uff61" <= character <= "\uff9f":
            total += _RARE
        else:
            total += _UNKNOWN
    return total


def _case(word: str) -> float:
    """Return the logarithm of how often words are in small letters, capitals, or a mixture, as this one is."""
    letters = [letter for letter in word if letter.lower() != letter.upper()]
    if not letters:
        return 0.0
    capitals = [letter.isupper() for letter in letters]
    if not any(capitals):
        return _LOWER
    if all(capitals) and len(letters) > 1:
        return _UPPER
    return _ODD if any(capitals[1:]) else _TITLE
