"""Texts of our own about building with stone, in many languages: what the files of the loaders' bench are made of."""

TEXTS = {
    "en": ("Dry stone walls", [
        "A dry stone wall stands without mortar. Its weight holds it together, and the way each stone is set decides whether it lasts ten years or two hundred.",
        "Begin with the ground. Dig a trench as wide as the foot of the wall and deep enough to reach firm soil; soft earth settles unevenly, and a wall that settles unevenly leans.",
        "Sort the stones before you lay the first one. Large, flat pieces go to the foot, long ones are kept as through-stones, and the small rubble is gathered in heaps for the heart of the wall.",
        "Every stone should sit on two others and carry two more. Masons say: “one over two, two over one”, and they mean that no joint may run straight through two courses.",
        "The faces lean inwards. For each metre of height a wall loses about 15 cm of its width; the slope is called the batter, and a wooden frame shows it while you build.",
        "Through-stones tie both faces together. Set them at half height, about one metre apart, with their ends showing on each side – they cost time, but a wall without them bulges after a few winters.",
        "Fill the heart as you go. A hollow wall looks the same from outside; it is the hearting, packed by hand and never shovelled in, that keeps the faces apart.",
        "Cap the wall with copes, set on edge and wedged tight. They shed the rain, keep sheep from jumping, and press the upper courses together. A well-laid cope cannot be lifted out by hand.",
    ]),
    "de": ("Mauern aus Naturstein", [
        "Eine Trockenmauer kommt ohne Mörtel aus. Ihr Gewicht hält sie zusammen, und wie gut jeder Stein sitzt, entscheidet darüber, ob sie zehn oder zweihundert Jahre übersteht.",
        "Zuerst wird der Boden geprüft. Der Graben muss so breit wie der Mauerfuß sein und bis auf festen Untergrund reichen; weiche Erde setzt sich ungleichmäßig, und die Mauer neigt sich.",
        "Große, flache Steine gehören nach unten, lange werden als Binder aufgehoben. Das übrige Geröll füllt den Kern: „zwei über eins, eins über zwei“ gilt für jede Schicht.",
        "Auf jeden Meter Höhe verliert die Mauer etwa 15 cm an Breite. Diese Neigung heißt Anlauf; ein Holzrahmen zeigt sie während der Arbeit.",
    ]),
    "fr": ("Murs en pierre sèche", [
        "Un mur en pierre sèche tient sans mortier. C’est son poids qui l’assemble, et la façon dont chaque pierre est posée décide s’il dure dix ans ou deux siècles.",
        "On commence par le sol : la tranchée doit être aussi large que le pied du mur et descendre jusqu’à la terre ferme, sinon l’ouvrage s’affaisse d’un côté.",
        "Les grandes pierres plates vont au pied, les longues servent de boutisses, et le tout-venant remplit le cœur. Il ne faut jamais aligner deux joints l’un au-dessus de l’autre.",
        "Pour chaque mètre de hauteur, le mur perd environ 15 cm de largeur. Cette pente s’appelle le fruit ; un gabarit en bois la montre pendant le travail.",
    ]),
    "es": ("Muros de piedra seca", [
        "Un muro de piedra seca se sostiene sin mortero. Su propio peso lo mantiene unido, y de cómo se asienta cada piedra depende que dure diez años o doscientos.",
        "Primero se prepara el suelo: la zanja debe ser tan ancha como el pie del muro y llegar hasta la tierra firme, porque la tierra blanda cede y el muro se inclina.",
        "¿Dónde van las piedras grandes? Abajo, siempre abajo. Las más largas se guardan para atar las dos caras, y el ripio rellena el corazón.",
    ]),
    "it": ("Muri a secco", [
        "Un muro a secco sta in piedi senza malta. È il suo peso a tenerlo insieme, e dal modo in cui ogni pietra è posata dipende se durerà dieci anni o due secoli.",
        "Si comincia dal terreno: lo scavo deve essere largo quanto il piede del muro e arrivare fino al suolo compatto, altrimenti la costruzione si inclina.",
    ]),
    "pl": ("Mury z kamienia", [
        "Mur suchy stoi bez zaprawy. Trzyma go własny ciężar, a to, jak ułożono każdy kamień, decyduje, czy przetrwa dziesięć lat, czy dwieście.",
        "Najpierw trzeba przygotować grunt: wykop powinien być tak szeroki jak podstawa muru i sięgać do twardej ziemi, ponieważ miękka osiada nierówno.",
    ]),
    "tr": ("Kuru taş duvarlar", [
        "Kuru taş duvar harç olmadan ayakta durur. Onu bir arada tutan kendi ağırlığıdır; her taşın nasıl oturduğu, duvarın on yıl mı yoksa iki yüz yıl mı dayanacağını belirler.",
        "Önce zemin hazırlanır: hendek duvarın tabanı kadar geniş olmalı ve sağlam toprağa kadar inmelidir, çünkü yumuşak toprak eşit oturmaz ve duvar eğilir.",
        "Büyük ve düz taşlar en alta konur, uzun olanlar iki yüzü birbirine bağlamak için saklanır.",
    ]),
    "vi": ("Tường đá xếp khô", [
        "Tường đá xếp khô đứng vững mà không cần vữa. Chính trọng lượng của nó giữ các viên đá lại với nhau, và cách đặt từng viên quyết định tường đứng được mười năm hay hai trăm năm.",
        "Trước hết phải xem nền đất: rãnh móng cần rộng bằng chân tường và sâu tới lớp đất chắc, vì đất mềm lún không đều và tường sẽ nghiêng.",
    ]),
    "ru": ("Стены сухой кладки", [
        "Стена сухой кладки стоит без раствора. Её держит собственный вес, и от того, как уложен каждый камень, зависит, простоит она десять лет или двести.",
        "Сначала готовят основание: траншея должна быть такой же ширины, как подошва стены, и доходить до твёрдого грунта, потому что мягкая земля оседает неравномерно.",
        "Крупные плоские камни кладут вниз, длинные оставляют для перевязки, а мелкий щебень идёт в середину. Ни один шов не должен проходить прямо через два ряда.",
    ]),
    "el": ("Τοίχοι ξερολιθιάς", [
        "Ο τοίχος της ξερολιθιάς στέκεται χωρίς κονίαμα. Το βάρος του τον κρατά, και ο τρόπος που κάθεται κάθε πέτρα αποφασίζει αν θα αντέξει δέκα χρόνια ή διακόσια.",
        "Πρώτα ετοιμάζεται το έδαφος: το χαντάκι πρέπει να είναι φαρδύ όσο η βάση του τοίχου και να φτάνει ως το στέρεο χώμα, γιατί το μαλακό χώμα υποχωρεί άνισα.",
        "Οι μεγάλες επίπεδες πέτρες μπαίνουν κάτω, ενώ οι μακριές δένουν τις δύο όψεις μεταξύ τους.",
    ]),
    "zh": ("干砌石墙", [
        "干砌石墙不用灰浆，全靠自身的重量站住。每块石头放得好不好，决定了它能立十年还是两百年。",
        "先看地基。沟要和墙脚一样宽，挖到硬土为止；软土下沉不均匀，墙就会歪。",
        "大而平的石头放在下面，长石头留着连接两面，碎石填在中间。上下两层的缝不能对齐，这是最要紧的一条规矩。",
        "墙每高一米，宽度要收进大约十五厘米，这个斜度要用木架随时检查。",
    ]),
    "ja": ("空積みの石垣", [
        "空積みの石垣は、モルタルを使わずに立っている。石の重さがたがいを支え、一つ一つの据え方で、十年もつか二百年もつかが決まる。",
        "まず地面を調べる。溝は石垣の根元と同じ幅にし、固い土に届くまで掘る。やわらかい土は均等に沈まないので、石垣が傾いてしまう。",
        "大きくて平らな石は下に置き、長い石は両面をつなぐために取っておく。目地が二段続けて通ってはいけない。",
    ]),
    "ko": ("돌담 쌓기", [
        "메쌓기 돌담은 모르타르 없이 서 있다. 제 무게가 담을 붙들고, 돌 하나하나를 어떻게 놓느냐에 따라 십 년을 갈지 이백 년을 갈지 정해진다.",
        "먼저 땅을 살핀다. 도랑은 담의 밑동만큼 넓게, 단단한 흙이 나올 때까지 판다.",
    ]),
    "ar": ("جدران الحجر الجاف", [
        "يقف جدار الحجر الجاف من دون ملاط. وزنه هو الذي يمسكه، وطريقة وضع كل حجر هي التي تقرر هل يبقى عشر سنوات أم مئتين.",
        "يبدأ العمل من الأرض: يجب أن يكون الخندق بعرض قاعدة الجدار وأن يصل إلى التربة الصلبة، لأن التربة اللينة تهبط من دون انتظام.",
    ]),
    "hi": ("सूखे पत्थर की दीवारें", [
        "सूखे पत्थर की दीवार बिना गारे के खड़ी रहती है। उसका अपना वज़न उसे थामे रखता है, और हर पत्थर कैसे रखा गया है, इसी से तय होता है कि वह दस साल चलेगी या दो सौ साल।",
        "सबसे पहले ज़मीन देखी जाती है: खाई दीवार की नींव जितनी चौड़ी हो और ठोस मिट्टी तक पहुँचे, क्योंकि नरम मिट्टी एक जैसी नहीं बैठती।",
    ]),
}

STONES = [
    ["Stone", "Density", "Price", "Use"],
    ["Granite", "2.65", "48.50", "foot and corners"],
    ["Sandstone", "2.32", "31.00", "faces"],
    ["Slate", "2.77", "55.25", "copes"],
    ["Limestone", "2.61", "29.90", "faces and hearting"],
]

CODE = '''def batter(height, foot, slope=0.15):
    """Width of a wall at a height above its foot."""
    width = foot - height * slope
    if width < 0.3:
        raise ValueError("too thin to stand")
    return width


for course in range(4):
    print(course, round(batter(course * 0.25, 0.7), 3))
'''
