/**
 * How an abbreviation behaves when a capital letter follows, which is when it could end a sentence.
 *
 * One table serves all languages: a form that means different things in two of them gets the class that is safe in both.
 */
export const abbreviationClass = {
  /** Needs what follows, so never ends a sentence: titles, "e.g.", "z.B.". */
  open: 1,
  /** Needs a number: does not end a sentence before one, otherwise is an ordinary word: "No. 5", "Fig. 2". */
  numbered: 2,
  /** Goes on unless a typical first word of a sentence follows: "Inc.", "Jr.", "Ave.". */
  either: 3,
  /** Ends a sentence before any capital letter: "etc.", "usw.". */
  final: 4,
} as const

/**
 * Without the last dot. In lower case they match any case, all capitals only among capitals ("DNA." is not Romanian "dna.");
 * with a capital they match only as written, for forms that are ordinary words otherwise ("Rep.", "Mar."). Multi-part forms are written closed ("z.b"); text may have spaces in them.
 */
const open =
  // Titles and ranks
  'mr mrs Ms dr prof Rev Hon gen lt Col capt cmdr maj sgt cpl adm Gov Sen Rep Pres messrs Fr Hr hrn frl dipl ing Mag MM mme mmes mlle mlles ' +
  'sra srta sres srs dña lic dra profa Eng exmo exma sig sigg dott avv Arch geom egr spett dhr mevr mw drs Ir inż mgr hab płk ks św ' +
  'проф акад доц инж κ κκ δρ καθ αγ av doç yrd sn alb arş öğr müh mudr judr phdr rndr Bc ifj dl dna sf TS ThS PGS GS BS TP Tp ' +
  'डॉ डा श्री प्रो पं मो ডা ড মো திரு أ.د Sto Sta sv ' +
  // Words that lead on
  'e.g i.e cf viz approx incl excl resp esp z.b d.h i.d.r z.t z.zt m.e v.a bzw ca evtl ggf vgl inkl exkl zzgl abzgl bspw sog anm ' +
  'p.ex p.ej c.-à-d c.-a-d env aprox p.es cfr bijv d.w.z o.a m.a.w i.p.v t.a.v m.b.t i.v.m n.a.v t.o.v evt zgn np tzn tzw tj m.in ul woj por zob ' +
  'т.е т.к т.н ул просп обл напр вул див π.χ δηλ βλ λεωφ bkz bk örn krş m.ö m.s t.ex bl.a dvs d.v.s s.k f.d f.eks jf jfr p.g.a ' +
  'fr.o.m t.o.m esim např napr tzv mj nám pl kb ún vö avda ee रु'

const numbered =
  'no nos op nr n° num núm n.º pp pg pag pág págs fig figs tab eq eqs ch chap sec sect art par para ver ex vol vols est max avg ext tel tél ed ' +
  'Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Okt Dez Mär Fev Abr Ago Ene Dic abs abb kap bd geb cap séc blz godz str ur zm ' +
  'кв стр рис табл гл ст тел пп σελ αρ τηλ kl tlf kv obr sz col bsp'

const either =
  'u.a inc ltd corp co bros cie ltda jr sr esq ph.d dept dpto depto ave blvd rd hwy bldg univ assn st ste mt ft pt cit ibid seq al vs min ' +
  'sek std mio mrd tsd chr v.chr n.chr j.-c a.c d.c ud uds vd uu s.a s.p.a s.r.l s.r.o a.s hrsg éd Mo Mon Tue Tues Wed Thu Thurs Fri ' +
  'Calif Conn Ariz Colo Fla Minn Tenn Wis Okla Mich Wash tys mln mld zł im тыс млн млрд руб коп чел экз им ім см ср пр тис грн ' +
  'π.Χ μ.Χ χιλ εκατ δισ cad sok mah yy şti a.ş milj mkr tis kft zrt hod कि.मी ई.पू هـ'

const final =
  'etc usw u.ä o.ä jh jhd ecc enz e.d a.u.b itd itp т.д т.п др гг вв н.э ін рр κ.λπ κλπ κ.ά κ.τ.λ κτλ vb m.m m.fl osv o.s.v jne ym yms ' +
  'atd apod stb ș.a ş.a v.v a.m p.m إلخ الخ'

/** From an abbreviation to its class. */
export const abbreviations: ReadonlyMap<string, number> = /* @__PURE__ */ new Map(
  [open, numbered, either, final].flatMap((list, index) => list.split(' ').map((form): [string, number] => [form, index + 1])),
)

/** Code units of the longest abbreviation. */
export const longestAbbreviation = 7

/**
 * Words that begin sentences and are no names: pronouns, articles, particles, conjunctions. A capital on one of them is what
 * tells "in the U.S. He" from "the U.S. Army". Words that also are parts of names (de, van, von, will, may) are left out.
 */
export const starters: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'a i the he she it we you they this that these those there here how what who whose when where why which is are was were do does did ' +
    'can could should would have has had but and or if in on at as for from after before during since while although because however ' +
    'then now my your his her our their its an so no yes not all some many most each every both another one once only even also let ' +
    'please perhaps maybe meanwhile today yesterday tomorrow later finally everyone everybody nobody someone nothing everything ' +
    'anyone few several other such to by with without ' +
    'der die das ein eine er sie es wir ich ihr du dies diese dieser dieses dort hier dann danach da doch aber und oder wenn als nach ' +
    'bei mit im am auf für wie was wer wo warum nicht kein keine sein seine ihre mein meine alle viele man auch noch nur jetzt heute ' +
    'gestern später niemand jeder ist war sind hat haben ' +
    'le la les un une il elle ils elles on nous vous je tu ce cette ces cet mais et ou où si dans sur pour avec sans après avant puis ' +
    'alors ensuite quand comme que qui son sa ses leur leurs notre votre mon ma mes tout tous ça cela hier personne rien en au aux ' +
    'el los las una unos unas él ella ellos ellas yo tú usted nosotros ese esa eso este esta esto pero y o con sin por para cuando como ' +
    'quién dónde su sus mi mis nadie nada todo todos hoy ayer luego después entonces hay son fue era al se lo ' +
    'gli uno lui lei loro io noi voi questo questa quello quella ma e per quando come che chi dove poi dopo oggi ieri non nessuno ' +
    'tutto tutti è sono si ci nel nella alla ' +
    'os as um uma ele ela eles elas eu nós você isto isso mas em na nos nas com sem quem onde seu sua depois hoje ontem não ninguém ' +
    'tudo é são foi há ao ' +
    'het een hij zij ze wij ik jij u dit dat deze maar of op zonder voor na toen dan daarna daar er wat wie waar waarom hoe zijn haar hun ' +
    'mijn niet alles vandaag gisteren ' +
    'det den ett han hon hun vi jag jeg men och og eller om på för efter när hvor var vad hva här där så nu inte ikke ingen alla ' +
    'ona ono oni my ja ty wy to ten ta te ale lub czy jeśli w we z ze po przed przez kiedy gdy jak co kto gdzie dlaczego nie nikt ' +
    'wszyscy jego jej ich potem dziś wczoraj był była było są jest já vy když kdo kde v s ' +
    'он она оно они мы я ты вы это этот эта эти тот та те но и а или если в во на с со к по за из от до после перед при когда как что ' +
    'кто где почему не никто все его её их потом затем сегодня вчера был была было у о об для там здесь тогда теперь ' +
    'він вона воно вони ми ти ви це цей ця ці але і й або якщо з після коли як що хто де чому ніхто всі його її їх потім ' +
    'ο η το οι τα ένας μια ένα αυτός αυτή αυτό αυτοί εμείς εσείς εγώ εσύ αλλά και ή αν σε στο στη στην στον με για από μετά πριν όταν ' +
    'πώς τι ποιος πού γιατί δεν μην κανείς όλοι ήταν είναι θα ' +
    'bu şu ben sen biz siz onlar bir ama ve veya eğer hepsi sonra önce şimdi bugün dün ne kim nerede neden nasıl her hiç kimse çok ' +
    'burada orada ancak ' +
    'tôi anh chị ông bà họ chúng nó đó đây nhưng và nếu khi trong trên sau trước ở với không ai mọi các những một ' +
    'az ez egy és ha ea ei ele acest această dar și dacă în pe cu după când hän he me minä mutta ja jos kun'
  ).split(' '),
)

/** Verbs that tell who spoke the quotation before them: a quotation they follow has not ended its sentence. */
export const speechVerbs: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'said asked replied answered cried shouted whispered added says asks muttered called yelled murmured exclaimed explained continued ' +
    'sagte fragte rief אמר אמרה שאל שאלה ענה ענתה צעק कहा पूछा बोला बोली کہا پوچھا بولا بولی قال قالت سأل سألت گفت پرسید'
  ).split(' '),
)

/** The same for Chinese, where the verb is the last character before a mark: 她问。 */
export const chineseSpeechVerbs = '说說问問道喊答叫'

/** Names written with an exclamation mark. */
export const namesWithMark: ReadonlySet<string> = /* @__PURE__ */ new Set('Yahoo Jeopardy Joomla Yum Wham'.split(' '))

/** Words before a German ordinal: in "am 3. Mai" the dot belongs to the number. */
export const beforeOrdinal: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'am der die das dem den des im vom zum zur beim ab bis seit jeden jeder jede dieser diesem ihr ihre sein seine unser'.split(' '),
)

/** What may follow "5 p.m." without beginning a sentence, besides time zones. */
export const weekdays: ReadonlySet<string> = /* @__PURE__ */ new Set('monday tuesday wednesday thursday friday saturday sunday'.split(' '))

/** Names of the Latin letters in Urdu: "ایم۔ اے۔" is M. A. */
export const urduLetters: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'اے بی سی ڈی ای ایف جی ایچ آئی جے کے ایل ایم این او پی کیو آر ایس ٹی یو وی ڈبلیو ایکس وائی زیڈ'.split(' '),
)

/** Thai particles that close an utterance; Thai has no sentence mark, but a space after one of them is as good. */
export const thaiParticles: readonly string[] = ['ครับ', 'คับ', 'ค่ะ', 'คะ', 'จ้ะ', 'จ๊ะ']

/** After a number with a dot they make it a day. */
export const germanMonths: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
)
