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
 * Returns the color of an option value as "#rrggbb". Examples: "Navy", "Bleu marine", "Heather Grey". If the value
 * names several colors, as in "黒 / 白", returns the first.
 * @returns undefined if the value contains no known color name
 */
export function findColor(value: string): string | undefined {
  const [firstName = ""] = value.split(/\s*[/&+,|]\s*/, 1);
  const exactColor = colorsByName.get(foldName(firstName));
  if (exactColor !== undefined) return exactColor;
  // If the value contains several color words, the last one is the main color: "Heather Grey" is gray.
  return firstName
    .split(/[\s-]+/, 10)
    .map((word) => colorsByName.get(foldName(word)))
    .findLast((color) => color !== undefined);
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

const colorsByName: ReadonlyMap<string, string> = new Map(
  Object.entries(colorPrefixes).flatMap(([color, names]) =>
    names.split(" ").map((name) => [foldName(name), color] as const),
  ),
);
