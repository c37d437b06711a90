/** Names of colors in the languages of most shops, by color. Case, accents and spaces are ignored. */
const colorPrefixes: Readonly<Record<string, string>> = {
  "#000000":
    "black schwarz noir negro nero preto zwart svart sort musta czarny černá čierna negru fekete siyah μαύρο черный чорний أسود שחור مشکی काला 黒 ブラック 黑 黑色 검정 블랙 ดำ đen hitam",
  "#ffffff":
    "white weiß weiss blanc blanche blanco bianco branco wit vit hvid hvit valkoinen biały bílá biela alb fehér beyaz λευκό белый білий أبيض לבן سفید सफेद 白 ホワイト 白色 흰색 화이트 ขาว trắng putih",
  "#808080":
    "gray grey grau gris grigio cinza cinzento grijs grå harmaa szary šedá sivá gri szürke γκρι серый сірий رمادي אפור خاکستری स्लेटी グレー 灰 灰色 회색 그레이 เทา xám abu-abu",
  "#c0c0c0":
    "silver silber argent plata argento prata zilver hopea srebrny stříbrná argintiu ezüst gümüş ασημί серебряный срібний فضي כסף 銀 シルバー 银色 銀色 실버 은색",
  "#d32f2f":
    "red rot rouge rojo rosso vermelho rood röd rød punainen czerwony červená roșu piros kırmızı κόκκινο красный червоний أحمر אדום قرمز लाल 赤 レッド 红 红色 紅色 빨강 레드 แดง đỏ merah",
  "#800020":
    "burgundy bordeaux bordo burgund borgoña burdeos vinho wine weinrot maroon granate bordowy vínová бордовый бордовий عنابي ボルドー ワイン 酒红色 버건디",
  "#f48fb1":
    "pink rosa rose roze pembe różowy růžová ružová roz rózsaszín ροζ розовый рожевий وردي ורוד صورتی गुलाबी ピンク 粉色 粉紅色 핑크 분홍 ชมพู hồng",
  "#f57c00":
    "orange naranja arancione laranja oranje oranssi pomarańczowy oranžová portocaliu narancs turuncu πορτοκαλί оранжевый помаранчевий برتقالي כתום نارنجی नारंगी オレンジ 橙色 주황 오렌지 ส้ม cam jingga",
  "#fbc02d":
    "yellow gelb jaune amarillo giallo amarelo geel gul keltainen żółty žlutá žltá galben sárga sarı κίτρινο желтый жовтий أصفر צהוב زرد पीला 黄 黄色 イエロー 黃色 노랑 옐로우 เหลือง vàng kuning",
  "#cfa93a":
    "gold or dorado oro ouro dourado goud guld gull kulta złoty zlatá auriu arany altın χρυσό золотой золотий ذهبي זהב طلایی सुनहरा 金 ゴールド 金色 골드 금색 ทอง emas",
  "#388e3c":
    "green grün grun vert verde groen grön grønn vihreä zielony zelená zöld yeşil πράσινο зеленый зелений أخضر ירוק سبز हरा 緑 グリーン 绿 绿色 綠色 초록 그린 เขียว hijau",
  "#808000": "olive oliv oliva olijf oliwkowy olivová zeytin оливковый оливковий زيتي オリーブ 橄榄色 올리브",
  "#c3b091": "khaki kaki haki хаки хакі カーキ 卡其色 카키",
  "#1976d2":
    "blue blau bleu azul blu blauw blå sininen niebieski modrá albastru kék mavi μπλε синий синій أزرق כחול آبی नीला 青 ブルー 蓝 蓝色 藍色 파랑 블루 น้ำเงิน biru",
  "#14284b":
    "navy marine marineblau marino marinho marinblå laivastonsininen granatowy lacivert темно-синий темно-синій كحلي ネイビー 紺 藏青色 네이비 navyblue bleumarine azulmarino blunotte",
  "#81d4fa":
    "skyblue lightblue hellblau bleuciel celeste lichtblauw ljusblå błękitny голубой блакитний سماوي 水色 天蓝色 하늘색",
  "#26a69a":
    "turquoise türkis turquesa turchese turkoois turkos turkis turkoosi turkusowy tyrkysová turcoaz türkiz turkuaz τιρκουάζ бирюзовый бірюзовий تركوازي ターコイズ 青绿色 teal petrol",
  "#7b1fa2":
    "purple violet lila violett morado púrpura viola roxo paars purppura fioletowy fialová mov lila mor μωβ фиолетовый фіолетовий بنفسجي סגול بنفش बैंगनी 紫 パープル 紫色 보라 퍼플 ม่วง tím ungu",
  "#b39ddb": "lavender lavendel lavande lavanda lavender ラベンダー 라벤더",
  "#6d4c41":
    "brown braun brun brune marron marrón marrone marrom castanho bruin ruskea brązowy hnědá hnedá maro barna kahverengi καφέ коричневый коричневий بني חום قهوه‌ای भूरा 茶 茶色 ブラウン 棕色 갈색 브라운 น้ำตาล nâu cokelat",
  "#d2b48c": "tan camel cognac キャメル 카멜",
  "#e8dcc4":
    "beige crème creme cream crema ecru écru sand beż beżowy béžová bej μπεζ бежевый бежевий بيج בז' بژ ベージュ 米色 베이지 ครีม ivory elfenbein ivoire avorio marfil marfim",
};

/** Matches names of options that select a color: "Color", "Farbton", "Couleur de la coque". */
const optionNames =
  /colou?r|colore|farb|couleur|kleur|färg|farve|farge|väri|kolor|barva|farba|culoare|szín|renk|χρώμα|цвет|колір|لون|צבע|رنگ|रंग|色|カラー|색|컬러|สี|màu|warna/iu;

/** Returns whether an option such as "Couleur" selects the color. The name can be in any language. */
export function isColorOption(name: string): boolean {
  return optionNames.test(name.normalize("NFC"));
}

/**
 * Returns the color of an option value as "#rrggbb". Examples: "Navy", "Bleu marine", "Heather Grey", "Tannengrün",
 * "Hellgrau". If the value names several colors, as in "黒 / 白", returns the first.
 * @returns undefined if the value contains no known color name
 */
export function findColor(value: string): string | undefined {
  const [firstName = ""] = value.split(/\s*[/&+,|]\s*/, 1);
  const exactColor = findNamedColor(foldName(firstName));
  if (exactColor !== undefined) return exactColor;
  const words = firstName.split(/[\s-]+/, 10).map(foldName);
  // If the value contains several color words, the last one is the main color: "Heather Grey" is gray.
  const colors = words.map(findWordColor);
  const mainIndex = colors.findLastIndex((color) => color !== undefined);
  const main = colors[mainIndex];
  if (main === undefined) return undefined;
  const modifiers = [main.modifier, ...words.toSpliced(mainIndex, 1)];
  const target = modifiers.map((modifier) => targetsByModifier.get(modifier)).find((value) => value !== undefined);
  return target === undefined ? main.color : mixColors(main.color, target);
}

interface WordColor {
  readonly color: string;
  /** Part of a compound before the name of the color; "" if there is none. */
  readonly modifier: string;
}

/** Finds the color of a word or of a compound that ends with the name of a color, such as "dunkelgrün" and "深蓝色". */
function findWordColor(word: string): WordColor | undefined {
  const color = findNamedColor(word);
  if (color !== undefined) return { color, modifier: "" };
  for (let start = 1; start < word.length; start += 1) {
    const name = word.slice(start);
    const compoundColor = isCompoundPart(name) ? findNamedColor(name) : undefined;
    if (compoundColor !== undefined) return { color: compoundColor, modifier: word.slice(0, start) };
  }
  return undefined;
}

/** Returns whether compounds can end with a name. Short Latin names are ignored: "layered" is not red. */
function isCompoundPart(name: string): boolean {
  return name.length >= 4 || shortCompoundParts.has(name) || /[\p{sc=Han}\p{sc=Kana}\p{sc=Hang}]/u.test(name);
}

function findNamedColor(name: string): string | undefined {
  return colorsByName.get(name) ?? shadesByName.get(name);
}

/** Returns the color in the middle between two colors, "#rrggbb". */
function mixColors(first: string, second: string): string {
  const channels = [1, 3, 5].map((start) => {
    const [a = 0, b = 0] = [first, second].map((color) => Number.parseInt(color.slice(start, start + 2), 16));
    return Math.round((a + b) / 2)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${channels.join("")}`;
}

/** Returns the names of all known colors, in all languages. */
export function listColorNames(): readonly string[] {
  return Object.values(colorPrefixes).flatMap((names) => names.split(" "));
}

function foldName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/[\p{M}\s-]/gu, "")
    .toLowerCase();
}

function indexNames(namesByColor: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(namesByColor).flatMap(([color, names]) =>
      names.split(" ").map((name) => [foldName(name), color] as const),
    ),
  );
}

const colorsByName = indexNames(colorPrefixes);

/** Shades whose names also have other meanings, so that titles with them do not name a color. */
const shadesByName = indexNames({
  "#383e42":
    "anthracite anthrazit antracite antracita antraciet antracit antrasit antracyt антрацит charcoal graphite graphit",
  "#a0522d": "rust rost rostrot rouille roest ruggine terracotta terrakotta",
  "#c99a2e": "mustard senf senfgelb moutarde mostaza mostarda mosterd senape ochre ocker ocre",
  "#98d8b8": "mint minze mintgrün menthe menta",
  "#ff7f6e": "coral koralle corail corallo koraal korall",
  "#8b7d70": "taupe",
  "#1b4d2e": "forest tannengrün flaschengrün vertsapin vertbouteille",
  "#5b6b3c": "moss moos moosgrün vertmousse",
  "#1f2a44": "midnight nachtblau mitternachtsblau bleunuit",
  "#c99a9a": "altrosa vieuxrose",
  "#81d4fa": "himmelblau",
  "#f1ead9": "natural natur naturel naturweiß wollweiß cremeweiß blanccassé offwhite",
  "#7fd1c7": "aqua aquamarine aquamarin",
});

/** Shorter names that end compounds in Germanic languages. */
const shortCompoundParts = new Set(["rot", "gul", "wit", "vit", "blå", "röd", "rød", "grå"].map(foldName));

/** Colors that words such as "dark" are mixed with. */
const targetsByModifier = indexNames({
  "#000000":
    "dark deep dunkel tief nacht foncé sombre scuro scura oscuro oscura escuro escura donker mörk mörka mørk mørke tumma tumman ciemny ciemno tmavý tmavo închis sötét koyu темно тёмный 深 暗 濃 ダーク 진 داكن غامق",
  "#ffffff":
    "light pale pastel hell clair claire pâle chiaro chiara claro clara licht ljus ljusa lys lyse vaalea vaalean jasny jasno světle svetlo deschis világos açık светло светлый 浅 淡 薄 ライト 연 فاتح",
});
