"""Realistic contacts, the same ones every time.

Contact i depends on i, its revision and the share of duplicates only, never on how many there are: the first 1,000 of
100,000 are those of a run with 1,000. Without duplicates no two contacts below a quarter of a million have a number in
common, so that nothing merges and what the contenders have to move is the same for all of them.
"""
import base64
import json
import random
import re
import uuid

# country: calling code, trunk prefix, (area or mobile prefix, digits of the subscriber)
PLANS = {
    "US": ("1", "", [("212", 7), ("415", 7), ("312", 7), ("617", 7)]),
    "CA": ("1", "", [("416", 7), ("604", 7)]),
    "GB": ("44", "0", [("207", 7), ("161", 7), ("7400", 6), ("7912", 6)]),
    "FR": ("33", "0", [("1", 8), ("61", 7), ("76", 7)]),
    "DE": ("49", "0", [("30", 8), ("89", 7), ("151", 8), ("172", 7)]),
    "ES": ("34", "", [("91", 7), ("6", 8)]),
    "IT": ("39", "", [("06", 8), ("347", 7)]),
    "NL": ("31", "0", [("20", 7), ("61", 7)]),
    "SE": ("46", "0", [("8", 7), ("70", 7)]),
    "PL": ("48", "", [("22", 7), ("601", 6)]),
    "RU": ("7", "8", [("495", 7), ("916", 7)]),
    "UA": ("380", "0", [("44", 7), ("67", 7)]),
    "GR": ("30", "", [("21", 8), ("69", 8)]),
    "IL": ("972", "0", [("3", 7), ("54", 7)]),
    "TR": ("90", "0", [("212", 7), ("532", 7)]),
    "EG": ("20", "0", [("22", 7), ("100", 7)]),
    "SA": ("966", "0", [("11", 7), ("50", 7)]),
    "MA": ("212", "0", [("522", 6), ("66", 7)]),
    "CN": ("86", "0", [("10", 8), ("138", 8)]),
    "JP": ("81", "0", [("3", 8), ("90", 8)]),
    "KR": ("82", "0", [("2", 8), ("104", 7)]),
    "IN": ("91", "0", [("112", 7), ("98", 8)]),
    "BR": ("55", "0", [("119", 8), ("219", 8)]),
    "MX": ("52", "", [("55", 8), ("33", 8)]),
    "AU": ("61", "0", [("26", 7), ("88", 7)]),
}
CITIES = {
    "US": "Boston", "CA": "Toronto", "GB": "London", "FR": "Paris", "DE": "München", "ES": "Madrid", "IT": "Roma",
    "NL": "Amsterdam", "SE": "Göteborg", "PL": "Łódź", "RU": "Москва", "UA": "Київ", "GR": "Αθήνα", "IL": "תל אביב",
    "TR": "İstanbul", "EG": "القاهرة", "SA": "الرياض", "MA": "الدار البيضاء", "CN": "北京", "JP": "東京", "KR": "서울",
    "IN": "मुंबई", "BR": "São Paulo", "MX": "México", "AU": "Sydney",
}
LATIN = (
    "Anna Luca Marie José Zoë Björn Søren Łukasz Chloé Jürgen Inês François Siobhán Mateusz Elif Tomás Ngọc James Olivia "
    "Noah Emma Liam Sofia Hugo Freya Oscar Nora Adam Lena Paul Carla Émile Renée Åsa".split(),
    "Müller Smith García Rossi Dubois Nowak Kowalczyk O'Brien Johansson Sørensen Yıldız Nguyễn Martins Silva van-den-Berg "
    "McDonald Schröder Fernández D'Angelo Lefèvre Hansen Becker Jones Taylor Brown Weiß Ångström".split(),
)
ARABIC = (
    "محمد فاطمة أحمد عائشة يوسف مريم خالد ليلى عمر نور حسن سارة".split(),
    "الحسن العلي المصري الفاسي بنعلي القحطاني الشمري حداد خوري منصور".split(),
)
CYRILLIC = (
    "Александр Мария Дмитрий Анна Иван Ольга Сергей Наталья Оксана Тарас".split(),
    "Иванов Петрова Смирнов Кузнецова Шевченко Коваленко Попов Бондаренко".split(),
)
NAMES = {
    "CN": ("伟 芳 娜 秀英 敏 静 丽 强 磊 军 洋 勇 艳 杰 娟 涛".split(), "王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 欧阳 司马".split()),
    "JP": ("陽菜 蓮 さくら 翔太 美咲 健太 結衣 大輔 優子 一郎".split(), "佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤".split()),
    "KR": ("민준 서연 지훈 하은 도윤 수빈 지민 현우".split(), "김 이 박 최 정 강 조 윤 장 임".split()),
    "EG": ARABIC, "SA": ARABIC, "MA": ARABIC, "RU": CYRILLIC, "UA": CYRILLIC,
    "IL": ("דוד שרה יוסף רחל נועה איתן".split(), "כהן לוי מזרחי פרץ ביטון".split()),
    "GR": ("Γιώργος Μαρία Δημήτρης Ελένη Νίκος".split(), "Παπαδόπουλος Οικονόμου Γεωργίου Δημητρίου".split()),
    "IN": ("आरव अनन्या विवान दीया अर्जुन प्रिया".split(), "शर्मा वर्मा सिंह गुप्ता पटेल रेड्डी".split()),
}
ORGANISATIONS = (
    "Acme GmbH|Globex Ltd|株式会社山田製作所|Société Générale d'Études|مؤسسة النور|ООО Ромашка|Initech|Umbrella & Sons|"
    "北京科技有限公司|Hooli|Vandelay Industries|삼정상사|Stark Logistics|Café Zürich AG".split("|")
)
UNITS = "Sales|Engineering|Accounting|Legal|R&D|Support|Purchasing".split("|")
TITLES = "Manager|Engineer|Directeur adjoint|営業部長|Consultant|Nurse|Teacher|مدير|Accountant|Owner".split("|")
STREETS = (
    "Main Street|Rue de la Paix|Bahnhofstraße|中山路|Via Roma|شارع التحرير|ул. Ленина|Calle Mayor|桜通り|Kungsgatan|"
    "Avenida Paulista|Hauptstraße|High Street|세종대로|MG Road".split("|")
)
WORDS = (
    "met at the conference in spring prefers email over phone call before noon birthday card every year friend of the "
    "family old colleague moved last summer allergic to nuts plays chess on Tuesdays knows the plumber invoice address "
    "differs do not share number speaks French and German".split()
)
COUNTRIES = list(PLANS)
REGION = "DE"  # of the book: only these numbers are written without their country
ARABIC_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
FULLWIDTH = str.maketrans("0123456789+-", "０１２３４５６７８９＋－")
OTHER_DIGITS = {"EG": ARABIC_DIGITS, "SA": ARABIC_DIGITS, "MA": ARABIC_DIGITS, "JP": FULLWIDTH}
PHOTO_EVERY = 400  # one contact in so many has a photo of 20 KB


def generator(i, purpose):
    """A stream of random choices for one purpose of one contact."""
    return random.Random(i << 16 | purpose)


def country(i):
    return COUNTRIES[i * 7 % len(COUNTRIES)]


def uid(i):
    return str(uuid.UUID(int=generator(i, 0).getrandbits(128), version=4))


ALONE_BELOW = 250_000  # contacts; among more, some have one number by chance and are one person to whom merges by number


def own_numbers(i):
    """The numbers of a contact as (country, prefix, subscriber), each one its alone below `ALONE_BELOW` contacts."""
    r = generator(i, 1)
    numbers = []
    for k in range(r.choices([1, 2, 3], [55, 32, 13])[0]):
        home = country(i) if k == 0 or r.random() < 0.8 else r.choice(COUNTRIES)
        prefix, digits = r.choice(PLANS[home][2])
        room = 8 * 10 ** (digits - 1)  # no subscriber begins with 0 or 1
        # A multiplier without a factor in common with the room: no number comes twice before all were there.
        numbers.append((home, prefix, str(2 * 10 ** (digits - 1) + (3 * i + k) * 3_654_791 % room)))
    return numbers


def twin(i, duplicates):
    """The earlier contact whose name and number this one has too, for a share of the contacts; else None."""
    r = generator(i, 2)
    return r.randrange(max(0, i - 5000), i) if i and r.random() < duplicates else None


def numbers(i, duplicates):
    """The numbers of a contact: its own, and as a twin the first of the other's in the place of its last."""
    other = twin(i, duplicates) if duplicates else None
    return own_numbers(i) if other is None else own_numbers(i)[:-1] + numbers(other, duplicates)[:1]


def e164(number):
    home, prefix, subscriber = number
    return "+" + PLANS[home][0] + prefix + subscriber


def groups(digits, r):
    if len(digits) <= 4:
        return [digits]
    if len(digits) % 2 == 0 and r.random() < 0.5:
        return [digits[at:at + 2] for at in range(0, len(digits), 2)]
    return [digits[:-4], digits[-4:]]


def spelled(number, r):
    """One of the ways in which people write a number; without its country where it is the book's."""
    home, prefix, subscriber = number
    code, trunk, _ = PLANS[home]
    parts = groups(subscriber, r)
    gap = r.choice([" ", "-", ".", " ", "\u00a0"])
    ways = [
        "+" + code + prefix + subscriber,
        "tel:+" + code + "-" + prefix + "-" + "-".join(parts),
        "+" + code + " " + prefix + gap + gap.join(parts),
        "00" + code + " " + prefix + " " + " ".join(parts),
    ]
    if trunk:
        ways.append("+" + code + " (" + trunk + ")" + prefix + " " + " ".join(parts))
    if home == REGION:
        ways += [trunk + prefix + gap + gap.join(parts), trunk + prefix + subscriber] * 2
    text = r.choice(ways)
    if home in OTHER_DIGITS and not text.startswith("tel:") and r.random() < 0.3:
        return text.translate(OTHER_DIGITS[home])
    return text


def named(i):
    """Given name, surname, and whether the surname comes first."""
    home = country(i)
    r = generator(i, 5)
    given_names, surnames = NAMES.get(home, LATIN) if home != "IN" or r.random() < 0.6 else LATIN
    given, surname = r.choice(given_names), r.choice(surnames)
    surname_first = home in ("CN", "JP", "KR")
    if not surname_first and r.random() < 0.15:
        given += " " + r.choice(given_names)
    return given, surname, surname_first


def contact(i, revision=1, duplicates=0.0):
    """What a contact says, before it has a form. Revisions differ in the note and the time, as edits by people do."""
    home = country(i)
    other = twin(i, duplicates) if duplicates else None
    given, surname, surname_first = named(i)
    while other is not None:
        given, surname, surname_first = named(other)
        other = twin(other, duplicates)
    full = f"{surname} {given}" if surname_first else f"{given} {surname}"
    r = generator(i, 3)
    born = (r.randrange(1940, 2012), r.randrange(1, 13), r.randrange(1, 29)) if r.random() < 0.4 else None
    mails = [
        f"{r.choice(['mail', 'me', 'info', 'x'])}.{i}.{k}@{r.choice(['example.com', 'example.org', 'mail.example.net'])}"
        for k in range(r.choices([0, 1, 2], [10, 60, 30])[0])
    ]
    work = (r.choice(ORGANISATIONS), r.choice(UNITS), r.choice(TITLES)) if r.random() < 0.6 else None
    address = (str(r.randrange(1, 400)), r.choice(STREETS), CITIES[home], str(r.randrange(10000, 99999)))
    address = address if r.random() < 0.75 else None
    own = numbers(i, duplicates)
    phones = [spelled(number, r) for number in own]
    nick = given[:4] if r.random() < 0.2 else None
    r = generator(i, 16 + revision)
    note = " ".join(r.choices(WORDS, k=r.randrange(6, 30)))
    return {
        "uid": uid(i), "country": home, "given": given, "surname": surname, "surname_first": surname_first, "full": full,
        "born": born, "mails": mails, "work": work, "address": address, "numbers": own,
        "phones": phones, "nick": nick, "note": f"{note} {mark(i, revision)}",
        "updated": f"2025-{1 + (i + revision) % 12:02d}-{1 + i % 28:02d}T{i % 24:02d}:{revision % 60:02d}:00Z",
        "photo": base64.b64encode(generator(i, 4).randbytes(15000)).decode() if i % PHOTO_EVERY == 37 else None,
        "indented": i % 3 != 0,
    }


def mark(i, revision):
    """The words in a contact's note that no other contact and no other revision has."""
    return f"(revision {revision} of {i})"


def card(c):
    """A JSContact card (RFC 9553)."""
    name = [{"kind": "given", "value": c["given"]}, {"kind": "surname", "value": c["surname"]}]
    out = {
        "@type": "Card", "version": "1.0", "uid": "urn:uuid:" + c["uid"], "kind": "individual",
        "created": "2024-01-01T00:00:00Z", "updated": c["updated"],
        "name": {"full": c["full"], "isOrdered": True, "components": name[::-1] if c["surname_first"] else name},
        "phones": {
            f"p{k + 1}": {
                "number": text, "features": {"voice" if k else "mobile": True},
                "contexts": {"work" if k else "private": True}, "pref": k + 1,
            }
            for k, text in enumerate(c["phones"])
        },
    }
    if c["mails"]:
        out["emails"] = {
            f"e{k + 1}": {"address": text, "contexts": {"work" if k else "private": True}, "pref": k + 1}
            for k, text in enumerate(c["mails"])
        }
    if c["nick"]:
        out["nicknames"] = {"n1": {"name": c["nick"]}}
    if c["work"]:
        name, unit, title = c["work"]
        out["organizations"] = {"o1": {"name": name, "units": [{"name": unit}]}}
        out["titles"] = {"t1": {"kind": "title", "name": title, "organizationId": "o1"}}
    if c["address"]:
        number, street, city, code = c["address"]
        parts = [("number", number), ("name", street), ("locality", city), ("postcode", code)]
        out["addresses"] = {
            "a1": {
                "components": [{"kind": kind, "value": value} for kind, value in parts], "countryCode": c["country"],
                "contexts": {"private": True}, "full": f"{number} {street}, {code} {city}",
            }
        }
    if c["born"]:
        date = dict(zip(("@type", "year", "month", "day"), ("PartialDate", *c["born"])))
        out["anniversaries"] = {"b1": {"kind": "birth", "date": date}}
    out["notes"] = {"x1": {"note": c["note"]}}
    if c["photo"]:
        uri = "data:image/jpeg;base64," + c["photo"]
        out["media"] = {"m1": {"kind": "photo", "mediaType": "image/jpeg", "uri": uri}}
    text = json.dumps(out, ensure_ascii=False)
    return (indented(text) if c["indented"] else text) + "\n"


def indented(text):
    """What `json.dumps` writes with indent=1, made from the compact text, which is ten times as fast."""
    depth = 0

    def line(match):
        nonlocal depth
        token = match[0]
        if token[0] == '"':
            return token
        if token in ("{", "["):
            depth += 1
            return token + "\n" + " " * depth
        if token in ("}", "]"):
            depth -= 1
            return "\n" + " " * depth + token
        return ",\n" + " " * depth

    return re.sub(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|, ', line, text)


def vcard(c):
    """The same as a vCard 3.0 (RFC 2426), for address books that read nothing else."""
    def text(value):
        return value.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;")

    lines = [
        "BEGIN:VCARD", "VERSION:3.0", "UID:" + c["uid"], "FN:" + text(c["full"]),
        f"N:{text(c['surname'])};{text(c['given'])};;;", "REV:" + c["updated"],
    ]
    lines += [f"TEL;TYPE={'WORK' if k else 'CELL'}:{p.removeprefix('tel:')}" for k, p in enumerate(c["phones"])]
    lines += [f"EMAIL;TYPE=INTERNET,{'WORK' if k else 'HOME'}:{mail}" for k, mail in enumerate(c["mails"])]
    if c["nick"]:
        lines.append("NICKNAME:" + text(c["nick"]))
    if c["work"]:
        lines += [f"ORG:{text(c['work'][0])};{text(c['work'][1])}", "TITLE:" + text(c["work"][2])]
    if c["address"]:
        number, street, city, code = c["address"]
        lines.append(f"ADR;TYPE=HOME:;;{number} {text(street)};{text(city)};;{code};{c['country']}")
    if c["born"]:
        lines.append("BDAY:%04d-%02d-%02d" % c["born"])
    lines.append("NOTE:" + text(c["note"]))
    if c["photo"]:
        lines.append("PHOTO;ENCODING=b;TYPE=JPEG:" + c["photo"])
    folded = []
    for line in [*lines, "END:VCARD"]:
        while len(line.encode()) > 75:
            cut = 74
            while len(line[:cut].encode()) > 74:
                cut -= 1
            folded.append(line[:cut])
            line = " " + line[cut:]
        folded.append(line)
    return "\r\n".join(folded) + "\r\n"


def rendered(indexes, revision=1, duplicates=0.0):
    """Files of cards: {name: bytes}."""
    return {uid(i) + ".json": card(contact(i, revision, duplicates)).encode() for i in indexes}


def rendered_vcards(indexes):
    """Files of vCards: {name: bytes}."""
    return {uid(i) + ".vcf": vcard(contact(i)).encode() for i in indexes}


def persons(count, duplicates):
    """How many persons there are once every twin is one with its other."""
    return sum(twin(i, duplicates) is None for i in range(count))
