import { getOrCreate } from "../runtime/cache.ts";
import { normalizeName } from "./countries.ts";

/** A state, province, or prefecture. */
export interface Province {
  /** Code or name as addresses in the country have it, such as "CA" in the United States and "東京都" in Japan. */
  readonly code: string;
  /** Name in the reader's language, or else in Latin letters. */
  readonly name: string;
}

/**
 * Returns the states or provinces of a country, sorted by name. Empty if the country has no list.
 * @param country ISO 3166-1 code
 */
export function listProvinces(country: string, locale: string): readonly Province[] {
  const { language } = new Intl.Locale(locale);
  const isLocal = languagesByCountry[country] === language;
  const { compare } = new Intl.Collator(locale);
  return parseProvinces(country)
    .map(({ code, name }) => ({ code, name: isLocal ? code : name }))
    .sort((a, b) => compare(a.name, b.name));
}

/** Finds a state or province by its code or name.  @returns its code; undefined if the country has none like that */
export function findProvince(country: string, text: string): string | undefined {
  const normalizedText = normalizeName(text);
  if (normalizedText === "") return undefined;
  const provinces = parseProvinces(country);
  const isEqual = (value: string): boolean => normalizeName(value) === normalizedText;
  return (provinces.find(({ code }) => isEqual(code)) ?? provinces.find(({ name }) => isEqual(name)))?.code;
}

function parseProvinces(country: string): readonly Province[] {
  return getOrCreate(provincesByCountry, country, () => {
    const list = Object.hasOwn(lists, country) ? (lists[country] ?? "") : "";
    return list.split("~").flatMap((item) => {
      const [code = "", name = code] = item.split("=");
      return code === "" ? [] : [{ code, name }];
    });
  });
}

const provincesByCountry = new Map<string, readonly Province[]>();

/** Languages in which addresses of a country have other letters than Latin ones. */
const languagesByCountry: Readonly<Record<string, string>> = {
  CN: "zh",
  HK: "zh",
  JP: "ja",
  KR: "ko",
  TH: "th",
  TW: "zh",
};

/**
 * Codes and names by country, from the address metadata of https://github.com/google/libaddressinput (Apache License
 * 2.0), with later changes of the provinces of India, Indonesia, Italy, Korea, Taiwan, and Thailand.
 */
const lists: Readonly<Record<string, string>> = {
  AU: "ACT=Australian Capital Territory~NSW=New South Wales~NT=Northern Territory~QLD=Queensland~SA=South Australia~TAS=Tasmania~VIC=Victoria~WA=Western Australia",
  BR: "AC=Acre~AL=Alagoas~AP=Amapá~AM=Amazonas~BA=Bahia~CE=Ceará~DF=Distrito Federal~ES=Espírito Santo~GO=Goiás~MA=Maranhão~MT=Mato Grosso~MS=Mato Grosso do Sul~MG=Minas Gerais~PA=Pará~PB=Paraíba~PR=Paraná~PE=Pernambuco~PI=Piauí~RJ=Rio de Janeiro~RN=Rio Grande do Norte~RS=Rio Grande do Sul~RO=Rondônia~RR=Roraima~SC=Santa Catarina~SP=São Paulo~SE=Sergipe~TO=Tocantins",
  CA: "AB=Alberta~BC=British Columbia~MB=Manitoba~NB=New Brunswick~NL=Newfoundland and Labrador~NT=Northwest Territories~NS=Nova Scotia~NU=Nunavut~ON=Ontario~PE=Prince Edward Island~QC=Quebec~SK=Saskatchewan~YT=Yukon",
  CN: "安徽省=Anhui Sheng~澳门=Macau~北京市=Beijing Shi~重庆市=Chongqing Shi~福建省=Fujian Sheng~甘肃省=Gansu Sheng~广东省=Guangdong Sheng~广西壮族自治区=Guangxi Zhuangzuzizhiqu~贵州省=Guizhou Sheng~海南省=Hainan Sheng~河北省=Hebei Sheng~河南省=Henan Sheng~黑龙江省=Heilongjiang Sheng~湖北省=Hubei Sheng~湖南省=Hunan Sheng~吉林省=Jilin Sheng~江苏省=Jiangsu Sheng~江西省=Jiangxi Sheng~辽宁省=Liaoning Sheng~内蒙古自治区=Neimenggu Zizhiqu~宁夏回族自治区=Ningxia Huizuzizhiqu~青海省=Qinghai Sheng~山东省=Shandong Sheng~山西省=Shanxi Sheng~陕西省=Shaanxi Sheng~上海市=Shanghai Shi~四川省=Sichuan Sheng~台湾=Taiwan~天津市=Tianjin Shi~西藏自治区=Xizang Zizhiqu~香港=Hong Kong~新疆维吾尔自治区=Xinjiang Weiwuerzizhiqu~云南省=Yunnan Sheng~浙江省=Zhejiang Sheng",
  ES: "A Coruña~Álava~Albacete~Alicante~Almería~Asturias~Ávila~Badajoz~Barcelona~Burgos~Cáceres~Cádiz~Cantabria~Castellón~Ceuta~Ciudad Real~Córdoba~Cuenca~Girona~Granada~Guadalajara~Guipúzcoa~Huelva~Huesca~Islas Baleares~Jaén~La Rioja~Las Palmas~León~Lleida~Lugo~Madrid~Málaga~Melilla~Murcia~Navarra~Ourense~Palencia~Pontevedra~Salamanca~Santa Cruz de Tenerife~Segovia~Sevilla~Soria~Tarragona~Teruel~Toledo~Valencia~Valladolid~Vizcaya~Zamora~Zaragoza",
  HK: "九龍=Kowloon~香港島=Hong Kong Island~新界=New Territories",
  ID: "Aceh~Bali~Banten~Bengkulu~Daerah Istimewa Yogyakarta~Daerah Khusus Ibukota Jakarta~Gorontalo~Jambi~Jawa Barat~Jawa Tengah~Jawa Timur~Kalimantan Barat~Kalimantan Selatan~Kalimantan Tengah~Kalimantan Timur~Kepulauan Bangka Belitung~Kepulauan Riau~Lampung~Maluku~Maluku Utara~Nusa Tenggara Barat~Nusa Tenggara Timur~Papua~Papua Barat~Riau~Sulawesi Barat~Sulawesi Selatan~Sulawesi Tengah~Sulawesi Tenggara~Sulawesi Utara~Sumatera Barat~Sumatera Selatan~Sumatera Utara~Kalimantan Utara~Papua Barat Daya~Papua Pegunungan~Papua Selatan~Papua Tengah",
  IN: "Andaman and Nicobar Islands=Andaman & Nicobar~Andhra Pradesh~Arunachal Pradesh~Assam~Bihar~Chandigarh~Chhattisgarh~Dadra and Nagar Haveli and Daman and Diu~Delhi~Goa~Gujarat~Haryana~Himachal Pradesh~Jammu & Kashmir~Jharkhand~Karnataka~Kerala~Ladakh~Lakshadweep~Madhya Pradesh~Maharashtra~Manipur~Meghalaya~Mizoram~Nagaland~Odisha~Puducherry~Punjab~Rajasthan~Sikkim~Tamil Nadu~Telangana~Tripura~Uttar Pradesh~Uttarakhand~West Bengal",
  IT: "AG=Agrigento~AL=Alessandria~AN=Ancona~AR=Arezzo~AP=Ascoli Piceno~AT=Asti~AV=Avellino~BA=Bari~BT=Barletta-Andria-Trani~BL=Belluno~BN=Benevento~BG=Bergamo~BI=Biella~BO=Bologna~BZ=Bolzano~BS=Brescia~BR=Brindisi~CA=Cagliari~CL=Caltanissetta~CB=Campobasso~CI=Carbonia-Iglesias~CE=Caserta~CT=Catania~CZ=Catanzaro~CH=Chieti~CO=Como~CS=Cosenza~CR=Cremona~KR=Crotone~CN=Cuneo~EN=Enna~FM=Fermo~FE=Ferrara~FI=Firenze~FG=Foggia~FC=Forlì-Cesena~FR=Frosinone~GE=Genova~GO=Gorizia~GR=Grosseto~IM=Imperia~IS=Isernia~AQ=L'Aquila~SP=La Spezia~LT=Latina~LE=Lecce~LC=Lecco~LI=Livorno~LO=Lodi~LU=Lucca~MC=Macerata~MN=Mantova~MS=Massa-Carrara~MT=Matera~VS=Medio Campidano~ME=Messina~MI=Milano~MO=Modena~MB=Monza e della Brianza~NA=Napoli~NO=Novara~NU=Nuoro~OG=Ogliastra~OT=Olbia-Tempio~OR=Oristano~PD=Padova~PA=Palermo~PR=Parma~PV=Pavia~PG=Perugia~PU=Pesaro e Urbino~PE=Pescara~PC=Piacenza~PI=Pisa~PT=Pistoia~PN=Pordenone~PZ=Potenza~PO=Prato~RG=Ragusa~RA=Ravenna~RC=Reggio Calabria~RE=Reggio nell'Emilia~RI=Rieti~RN=Rimini~RM=Roma~RO=Rovigo~SA=Salerno~SS=Sassari~SV=Savona~SI=Siena~SR=Siracusa~SO=Sondrio~TA=Taranto~TE=Teramo~TR=Terni~TO=Torino~TP=Trapani~TN=Trento~TV=Treviso~TS=Trieste~UD=Udine~AO=Valle d'Aosta~VA=Varese~VE=Venezia~VB=Verbano-Cusio-Ossola~VC=Vercelli~VR=Verona~VV=Vibo Valentia~VI=Vicenza~VT=Viterbo~SU=Sud Sardegna",
  JP: "北海道=Hokkaido~青森県=Aomori~岩手県=Iwate~宮城県=Miyagi~秋田県=Akita~山形県=Yamagata~福島県=Fukushima~茨城県=Ibaraki~栃木県=Tochigi~群馬県=Gunma~埼玉県=Saitama~千葉県=Chiba~東京都=Tokyo~神奈川県=Kanagawa~新潟県=Niigata~富山県=Toyama~石川県=Ishikawa~福井県=Fukui~山梨県=Yamanashi~長野県=Nagano~岐阜県=Gifu~静岡県=Shizuoka~愛知県=Aichi~三重県=Mie~滋賀県=Shiga~京都府=Kyoto~大阪府=Osaka~兵庫県=Hyogo~奈良県=Nara~和歌山県=Wakayama~鳥取県=Tottori~島根県=Shimane~岡山県=Okayama~広島県=Hiroshima~山口県=Yamaguchi~徳島県=Tokushima~香川県=Kagawa~愛媛県=Ehime~高知県=Kochi~福岡県=Fukuoka~佐賀県=Saga~長崎県=Nagasaki~熊本県=Kumamoto~大分県=Oita~宮崎県=Miyazaki~鹿児島県=Kagoshima~沖縄県=Okinawa",
  KR: "강원특별자치도=Gangwon~경기도=Gyeonggi~경상남도=Gyeongnam~경상북도=Gyeongbuk~광주광역시=Gwangju~대구광역시=Daegu~대전광역시=Daejeon~부산광역시=Busan~서울특별시=Seoul~세종특별자치시=Sejong~울산광역시=Ulsan~인천광역시=Incheon~전라남도=Jeonnam~전북특별자치도=Jeonbuk~제주특별자치도=Jeju~충청남도=Chungnam~충청북도=Chungbuk",
  MX: "AGS=Aguascalientes~BC=Baja California~BCS=Baja California Sur~CAMP=Campeche~CHIS=Chiapas~CHIH=Chihuahua~COAH=Coahuila~COL=Colima~CDMX=Ciudad de México~DGO=Durango~MEX=Estado de México~GTO=Guanajuato~GRO=Guerrero~HGO=Hidalgo~JAL=Jalisco~MICH=Michoacán~MOR=Morelos~NAY=Nayarit~NL=Nuevo León~OAX=Oaxaca~PUE=Puebla~QRO=Querétaro~QROO=Quintana Roo~SLP=San Luis Potosí~SIN=Sinaloa~SON=Sonora~TAB=Tabasco~TAMPS=Tamaulipas~TLAX=Tlaxcala~VER=Veracruz~YUC=Yucatán~ZAC=Zacatecas",
  MY: "JOHOR=Johor~KEDAH=Kedah~KELANTAN=Kelantan~KUALA LUMPUR=Kuala Lumpur~LABUAN=Labuan~MELAKA=Melaka~NEGERI SEMBILAN=Negeri Sembilan~PAHANG=Pahang~PERAK=Perak~PERLIS=Perlis~PULAU PINANG=Pulau Pinang~PUTRAJAYA=Putrajaya~SABAH=Sabah~SARAWAK=Sarawak~SELANGOR=Selangor~TERENGGANU=Terengganu",
  TH: "กระบี่=Krabi~กรุงเทพมหานคร=Bangkok~กาญจนบุรี=Kanchanaburi~กาฬสินธุ์=Kalasin~กำแพงเพชร=Kamphaeng Phet~ขอนแก่น=Khon Kaen~จันทบุรี=Chanthaburi~ฉะเชิงเทรา=Chachoengsao~ชลบุรี=Chon Buri~ชัยนาท=Chai Nat~ชัยภูมิ=Chaiyaphum~ชุมพร=Chumpon~เชียงราย=Chiang Rai~เชียงใหม่=Chiang Mai~ตรัง=Trang~ตราด=Trat~ตาก=Tak~นครนายก=Nakhon Nayok~นครปฐม=Nakhon Pathom~นครพนม=Nakhon Phanom~นครราชสีมา=Nakhon Ratchasima~นครศรีธรรมราช=Nakhon Si Thammarat~นครสวรรค์=Nakhon Sawan~นนทบุรี=Nonthaburi~นราธิวาส=Narathiwat~น่าน=Nan~บุรีรัมย์=Buri Ram~ปทุมธานี=Pathum Thani~ประจวบคีรีขันธ์=Prachuap Khiri Khan~ปราจีนบุรี=Prachin Buri~ปัตตานี=Pattani~พระนครศรีอยุธยา=Phra Nakhon Si Ayutthaya~พะเยา=Phayao~พังงา=Phang Nga~พัทลุง=Phattalung~พิจิตร=Phichit~พิษณุโลก=Phitsanulok~เพชรบุรี=Phetchaburi~เพชรบูรณ์=Phetchabun~แพร่=Phrae~ภูเก็ต=Phuket~มหาสารคาม=Maha Sarakham~มุกดาหาร=Mukdahan~แม่ฮ่องสอน=Mae Hong Son~ยโสธร=Yasothon~ยะลา=Yala~ร้อยเอ็ด=Roi Et~ระนอง=Ranong~ระยอง=Rayong~ราชบุรี=Ratchaburi~ลพบุรี=Lop Buri~ลำปาง=Lampang~ลำพูน=Lamphun~เลย=Loei~ศรีสะเกษ=Si Sa Ket~สกลนคร=Sakon Nakhon~สงขลา=Songkhla~สตูล=Satun~สมุทรปราการ=Samut Prakan~สมุทรสงคราม=Samut Songkhram~สมุทรสาคร=Samut Sakhon~สระแก้ว=Sa Kaeo~สระบุรี=Saraburi~สิงห์บุรี=Sing Buri~สุโขทัย=Sukhothai~สุพรรณบุรี=Suphanburi~สุราษฎร์ธานี=Surat Thani~สุรินทร์=Surin~หนองคาย=Nong Khai~หนองบัวลำภู=Nong Bua Lam Phu~อ่างทอง=Ang Thong~อำนาจเจริญ=Amnat Charoen~อุดรธานี=Udon Thani~อุตรดิตถ์=Uttaradit~อุทัยธานี=Uthai Thani~อุบลราชธานี=Ubon Ratchathani~บึงกาฬ=Bueng Kan",
  TW: "台中市=Taichung City~台北市=Taipei City~台東縣=Taitung County~台南市=Tainan City~宜蘭縣=Yilan County~花蓮縣=Hualien County~金門縣=Kinmen County~南投縣=Nantou County~屏東縣=Pingtung County~苗栗縣=Miaoli County~桃園市=Taoyuan City~高雄市=Kaohsiung City~基隆市=Keelung City~連江縣=Lienchiang County~雲林縣=Yunlin County~新北市=New Taipei City~新竹市=Hsinchu City~新竹縣=Hsinchu County~嘉義市=Chiayi City~嘉義縣=Chiayi County~彰化縣=Changhua County~澎湖縣=Penghu County",
  US: "AL=Alabama~AK=Alaska~AS=American Samoa~AZ=Arizona~AR=Arkansas~AA=Armed Forces (AA)~AE=Armed Forces (AE)~AP=Armed Forces (AP)~CA=California~CO=Colorado~CT=Connecticut~DE=Delaware~DC=District of Columbia~FL=Florida~GA=Georgia~GU=Guam~HI=Hawaii~ID=Idaho~IL=Illinois~IN=Indiana~IA=Iowa~KS=Kansas~KY=Kentucky~LA=Louisiana~ME=Maine~MH=Marshall Islands~MD=Maryland~MA=Massachusetts~MI=Michigan~FM=Micronesia~MN=Minnesota~MS=Mississippi~MO=Missouri~MT=Montana~NE=Nebraska~NV=Nevada~NH=New Hampshire~NJ=New Jersey~NM=New Mexico~NY=New York~NC=North Carolina~ND=North Dakota~MP=Northern Mariana Islands~OH=Ohio~OK=Oklahoma~OR=Oregon~PW=Palau~PA=Pennsylvania~PR=Puerto Rico~RI=Rhode Island~SC=South Carolina~SD=South Dakota~TN=Tennessee~TX=Texas~UT=Utah~VT=Vermont~VI=Virgin Islands~VA=Virginia~WA=Washington~WV=West Virginia~WI=Wisconsin~WY=Wyoming",
};
