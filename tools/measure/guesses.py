"""What is guessed of the encoding of words among UTF-8: ``python tools/measure/guesses.py [--number N]``.

Files are made of words in sixteen languages: UTF-8 in one language, and words of another one in an encoding that its
writers used. ``check`` asks for a guess of each. It is *right* if the likeliest encoding reads the words as they were
written, *unsure* if nothing, or low confidence, is claimed, and *wrong* otherwise. Exit status 1 where more than
``MAX_WRONG`` of the guesses with a confidence are wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from typing import NamedTuple

from utf8_abnf.explain import encodings
from utf8_abnf.explain.diagnosis import diagnose
from utf8_abnf.explain.locating import last_word
from utf8_abnf.files.repairing.stretches import next_stretch
from utf8_abnf.validator.functions import first_error

MAX_WRONG = 0.01  # of the guesses with fair or high confidence

# fmt: off
LANGUAGES = {
    "German": ("cp1252 latin-1 iso8859-15 cp850 cp437 mac_roman", "über Straße Mädchen schön größer Käse Tür "
                "fünf Bücher "
               "Köchin März Schlüssel wäre hört früh Äpfel Öl süß müde heiß Frühstück Geräte Vögel nächste"),
    "French": ("cp1252 latin-1 iso8859-15 cp850 cp437 mac_roman", "été garçon où déjà hôtel élève forêt naïf "
                "très âge "
               "français goût père noël à réponse sécurité problème côté préféré fenêtre musée leçon bientôt"),
    "Spanish": ("cp1252 latin-1 iso8859-15 cp850 cp437 mac_roman", "niño mañana corazón canción día café árbol "
                "español "
                "lápiz también inglés avión pequeña aquí después música razón fácil año jardín último cómo"),
    "Portuguese": ("cp1252 latin-1 cp850 mac_roman", "não são ação irmã lição você maçã coração avô país até três "
                   "informação amanhã também açúcar útil história pão região estação água próximo"),
    "Swedish": ("cp1252 latin-1 cp850 cp437 mac_roman", "själv människa skön första göra får är på bröd häst år mörk "
                "kärlek förstå träd väg fågel överallt nästa måste gång älskar blå grön språk"),
    "Polish": ("cp1250 iso8859-2", "książka żółty źródło święto dziękuję miłość ręka ćwiczenie łódka już są żeby "
               "można pięć jeść później właśnie człowiek wszędzie będę światło głowa ślub"),
    "Czech": ("cp1250 iso8859-2", "příliš žluťoučký kůň úpěl ďábelské ódy město že může říci řeka šťastný růže děti "
              "člověk všichni dům čtyři svět ještě večeře něco zítra účet"),
    "Russian": ("cp1251 koi8-r cp866 iso8859-5", "сегодня хорошая погода человек город улица книга работа время "
                "ребёнок вопрос хлеб дорога письмо деньги большой новый ответ друзья школа здравствуйте спасибо"),
    "Greek": ("cp1253", "καλημέρα άνθρωπος θάλασσα δρόμος βιβλίο σήμερα ώρα παιδί νερό ήλιος φίλος μεγάλος "
              "σπίτι γλώσσα χρόνος ερώτηση απάντηση ευχαριστώ πόλη δουλειά"),
    "Turkish": ("cp1254", "çocuk güneş ağaç şehir öğretmen ışık kış doğru yağmur değil için şimdi büyük küçük "
                "görmek çalışmak müzik altın bağ İstanbul ağır kapı sıcak"),
    "Hebrew": ("cp1255", "שלום ילד ספר בית שמש מים דרך חבר גדול חדש שאלה תשובה עבודה לחם היום מחר ירושלים"),
    "Arabic": ("cp1256", "سلام كتاب بيت شمس ماء طريق صديق كبير جديد سؤال جواب عمل خبز اليوم مدينة مدرسة"),
    "Japanese": ("cp932 euc_jp", "東京 日本語 ソフト 表示 今日は 天気 予定 能力 テスト データベース 株式会社 "
                "ひらがな カタカナ 名前 住所 電話番号 "
                 "設定 ファイル 開く ください 確認 申込み 十分 構成 登録しました 一覧"),
    "Chinese": ("gb18030 gbk", "今天 天气 中文 软件 设置 数据库 文件 打开 确认 名字 地址 电话 公司 北京 上海 "
                "用户 密码 登录 系统 网络 问题 "
                "解决 测试 我们 学习 朋友"),
    "Taiwanese": ("big5", "今天 天氣 中文 軟體 設定 資料庫 檔案 開啟 確認 名字 地址 電話 公司 臺北 使用者 密碼 "
                "登入 系統 網路 問題 解決 測試 我們 學習 "
                  "朋友 功能"),
    "Korean": ("cp949 euc_kr", "오늘 날씨 한국어 설정 파일 열기 확인 이름 주소 전화 회사 서울 사용자 암호 "
                "시스템 문제 해결 시험 우리 공부 친구 감사합니다"),
}
# fmt: on
SPACED = {"Japanese": "", "Chinese": "", "Taiwanese": ""}
ENGLISH = "the list of names was read from a file with some values and the next line has more of these words"
CONFIDENCE = ("low", "fair", "high")


class Case(NamedTuple):
    """A file: its *data*, the *codec* of the words, their *language*, and the *shape* of the file.

    *kept*: the characters in UTF-8 that are not ASCII, in order.
    """

    data: bytes
    codec: str
    language: str
    shape: str
    kept: str


def words_of(chance: random.Random, language: str, number: int) -> str:
    """Return *number* words."""
    words = LANGUAGES[language][1].split()
    return SPACED.get(language, " ").join(chance.choice(words) for _ in range(number))


def made(number: int) -> Case:
    """Return the file of the given number."""
    chance = random.Random(number)  # noqa: S311 - reproducible, not secret
    language, other = chance.choice([*LANGUAGES]), chance.choice([*LANGUAGES])
    codec = chance.choice(LANGUAGES[language][0].split())
    shape = chance.choice(("whole", "lines", "words in a line", "a field in rows", "one word", "quoted"))
    english = lambda: " ".join(chance.choice(ENGLISH.split()) for _ in range(chance.randint(1, 12)))  # noqa: E731
    kept = []

    def utf8() -> bytes:
        kept.append(words_of(chance, other, chance.randint(1, 8)))
        return kept[-1].encode()

    coded = lambda most: words_of(chance, language, chance.randint(1, most)).encode(codec)  # noqa: E731
    size = chance.choice((1, 3, 10, 40))
    if shape == "whole":
        lines = [coded(12) for _ in range(size)]
    elif shape == "lines":
        lines = [chance.choice((utf8, lambda: coded(12), lambda: english().encode()))() for _ in range(size)]
        lines += [utf8(), coded(12)]
    elif shape == "words in a line":
        lines = [b" ".join((utf8(), english().encode(), coded(3), utf8())) for _ in range(size)]
    elif shape == "a field in rows":
        lines = [b"%d,%b,%b,%d" % (row, utf8(), coded(1), row * 7) for row in range(size)]
    elif shape == "one word":
        lines = [utf8() for _ in range(size)] + [english().encode() + b" " + coded(1)] + [utf8()]
    else:
        lines = [utf8() for _ in range(size)] + [b"> " + coded(12) for _ in range(size)]
    characters = "".join(character for character in "".join(kept) if not character.isascii())
    return Case(b"\n".join(lines) + b"\n", codec, language, shape, characters)


def verdict(case: Case) -> tuple[str, str] | None:
    """Return "right", "wrong" or "unsure", and what was claimed; None where the words are well-formed."""
    error = first_error(case.data)
    if error is None:
        return None
    before, sample = case.data[: error.start], case.data[error.start :]
    found = diagnose(sample, error.start, word=last_word(before), is_ascii_before=before.isascii())
    claim = found.guess
    if claim is None or claim.confidence == encodings.LOW:
        return "unsure", found.cause
    shown = f"{found.cause} {encodings.shown(claim.names[0])} {CONFIDENCE[claim.confidence]}"
    return ("right" if _reads_alike(case, claim.codecs[0]) else "wrong"), shown


def _reads_alike(case: Case, codec: str) -> bool:
    """Return whether the ill-formed stretches mean the same in *codec* as in the case's encoding."""
    if {codec, case.codec} in ({"gb18030", "gbk"}, {"cp949", "euc_kr"}):
        return True
    data, at = case.data, 0
    while at < len(data):
        start, end = next_stretch(data, at, len(data), len(data))
        stretch = data[start:end]
        if stretch.decode(codec, "replace") != stretch.decode(case.codec, "replace"):
            return False
        at = end
    return True


def main() -> int:
    """Print the counts and return 1 where too many are wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=2000, help="how many files (default: 2000)")
    parser.add_argument("--wrong", action="store_true", help="print each wrong one")
    args = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    for number in range(args.number):
        case = made(number)
        found = verdict(case)
        if found is None:
            continue
        counts.update([(case.shape, found[0]), (case.language, found[0]), ("all", found[0])])
        if args.wrong and found[0] == "wrong":
            print(number, case.language, case.codec, case.shape, found[1])
    print(f"{'':20}{'right':>8}{'unsure':>8}{'wrong':>8}")
    for row in sorted({row for row, _ in counts}):
        print(f"{row:20}" + "".join(f"{counts[row, kind]:8}" for kind in ("right", "unsure", "wrong")))
    claimed = counts["all", "right"] + counts["all", "wrong"]
    return 1 if counts["all", "wrong"] > MAX_WRONG * claimed else 0


if __name__ == "__main__":
    sys.exit(main())
