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
  'mr mrs Ms dr prof Rev Hon Gen lt Col capt cmdr maj sgt cpl adm Gov Sen Rep Pres messrs Fr Hr hrn frl dipl ing Mag MM mme mmes mlle mlles ' +
  'sra srta sres srs dña lic dra profa Eng exmo exma sig sigg dott avv Arch geom egr spett dhr mevr mw drs Ir inż mgr hab płk ks św ' +
  'проф акад доц инж κ κκ δρ καθ αγ av doç yrd sn alb arş öğr müh mudr judr phdr rndr Bc ifj dl dna sf TS ThS PGS GS BS TP Tp ' +
  'डॉ डा श्री प्रो पं मो ए बी सी डी ई एफ जी एच जे के एल एम एन ओ पी आर एस टी यू वी ডা ড মো திரு أ.د Sto Sta sv ' +
  // Words that lead on
  'e.g i.e cf viz approx incl excl resp esp z.b d.h i.d.r z.t z.zt m.e v.a bzw ca evtl ggf vgl inkl exkl zzgl abzgl bspw sog anm ' +
  'p.ex p.ej c.-à-d c.-a-d env aprox p.es cfr bijv d.w.z o.a m.a.w i.p.v t.a.v m.b.t i.v.m n.a.v t.o.v evt zgn np tzn tzw tj m.in ul woj por zob ' +
  'т.е т.к т.н ул просп обл напр вул див π.χ δηλ βλ λεωφ bkz bk örn krş m.ö m.s t.ex bl.a dvs d.v.s s.k f.d f.eks jf jfr p.g.a ' +
  'fr.o.m t.o.m esim např napr tzv mj nám pl kb ún vö avda EE रु'

const numbered =
  'no nos op nr n° num núm n.º pp pg pag pág págs fig figs tab eq eqs ch chap sec sect art par para ver ex vol vols est max avg ext tel tél ed ' +
  'Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Okt Dez Mär Fev Abr Ago Ene Dic abs abb kap geb cap séc blz godz ur zm ' +
  'ок буд кв стр рис табл гл ст тел пп σελ αρ αριθ τηλ kl tlf kv obr sz col bsp'

const either =
  'u.a mm bd gen str Pr inc ltd corp co bros cie ltda jr sr esq ph.d dept dpto depto ave blvd rd hwy bldg univ assn st ste mt ft pt cit ibid seq al vs min ' +
  'sek std mio mrd tsd chr v.chr n.chr j.-c a.c d.c ud uds vd UU s.a s.p.a s.r.l s.r.o a.s hrsg éd Mo Mon Tue Tues Wed Thu Thurs Fri ' +
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
export const longestAbbreviation = 6

/** One step of the hash that {@link mayBeAbbreviation} knows; a word is hashed from its last code unit to its first. */
export function hashBackward(hash: number, code: number): number {
  return (hash * 31 + code) & 0xfff
}

/** Whether a hash belongs to an abbreviation, in small letters, capitalised or in capitals: spares most words a look-up. */
export function mayBeAbbreviation(hash: number): boolean {
  return hashes[hash] === 1
}

const hashes: Uint8Array = /* @__PURE__ */ hashAbbreviations()

function hashAbbreviations(): Uint8Array {
  const known = new Uint8Array(0x1000)
  for (const form of abbreviations.keys()) {
    for (const variant of [form, form.charAt(0).toUpperCase() + form.slice(1), form.toUpperCase()]) {
      let hash = 0
      for (let index = variant.length - 1; index >= 0; index--) hash = hashBackward(hash, variant.charCodeAt(index))
      known[hash] = 1
    }
  }
  return known
}

/**
 * Words of three letters and more that begin sentences and are no names: pronouns, articles, particles, conjunctions. A
 * capital on one of them is what tells "in the U.S. He" from "the U.S. Army". Words that names hold as well (van, von,
 * will, may) are left out.
 */
export const starters: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'the she they this that these those there here how what who when where why which are was were did does can have has had but and for ' +
    'after before since while because however then now you your his her our their its not all some many most each every one also ' +
    'today yesterday nobody everyone ' +
    'der die das ein eine sie wir ich diese dieser dann aber und wenn nach bei mit les une elle ils nous mais dans pour cette ces ' +
    'los las una ella este esta esto pero con por para cuando gli lui lei questo questa per non sono uma ele ela isso mas com não ' +
    'het een hij zij dit dat deze maar det den han hon jag jeg men och ona oni ale jest nie jego acest această aceasta dar iar ' +
    'bir ama hepsi sonra ancak các những một trong khi tôi chúng ' +
    'она они это этот эта или если когда как что его при він вона вони але αυτός αυτή αυτό ένας μια και για από στο στη δεν'
  ).split(' '),
)

/** Words of two letters are taken to begin sentences ("He", "Il", "Он"), unless they are names or parts of names. */
export const shortNames = ' al bo da de di du ed ho hu jo li lu ma mc ng su wu xi xu ye yu '

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

/** Names of the Latin letters in Urdu: "ایم۔ اے۔" is M. A. Some are words as well, so two in a row are asked for. */
export const urduLetters = 'اے|بی|سی|ڈی|ای|ایف|جی|ایچ|آئی|جے|کے|ایل|ایم|این|او|پی|کیو|آر|ایس|ٹی|یو|وی|ڈبلیو|ایکس|وائی|زیڈ'

/** Thai particles that close an utterance; Thai has no sentence mark, but a space after one of them is as good. */
export const thaiParticles: readonly string[] = ['ครับ', 'คับ', 'ค่ะ', 'คะ', 'จ้ะ', 'จ๊ะ']
