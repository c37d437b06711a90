import type { Messages } from "./messages.ts";

export const ja: Messages = {
  fields: { author: "お名前", body: "本文", country: "国", email: "メールアドレス" },
  faults: {
    blank: "を入力してください",
    email: "は name@example.com の形式で入力してください",
    tooLong: (characters) => `は${characters}文字以内で入力してください`,
    unsupported: "には発送できません",
  },
  collections: { all: "すべての商品" },
  cart: {
    soldOut: (title) => `${title}は売り切れです。`,
    only: (available, title, rule) =>
      `${title}は${available}点のみご購入いただけます${rule === "" ? "" : `（販売単位：${rule}）`}。`,
    rule: (min, max, increment) =>
      (max === undefined ? `${min}点以上` : `${min}点から${max}点まで`) + (increment > 1 ? `、${increment}点ずつ` : ""),
    soldBy: (title, rule, quantity) =>
      `${title}の販売単位は${rule}です。${quantity === 0 ? "カートから取り除きました" : `数量を${quantity}点にしました`}。`,
    setTo: (said, quantity) => `${said}数量を${quantity}点にしました。`,
    alreadyIn: (said, inCart) => `${said}すでに${inCart}点がカートに入っています。`,
    removed: (title) => `${title}は販売を終了したため、カートから取り除きました。`,
    priceChanged: (title, before, after) => `${title}の価格が${before}から${after}に変わりました。`,
    priceUnknown: "一部の価格と割引を現在確認できません。カートはそのまま残り、確認でき次第ご注文いただけます。",
    codeNotApplicable: (code) => `割引コード${code}はこのカートには使えません。`,
    cardNotApplicable: (code) => `ギフトカード${code}はこのカートには使えません。`,
    codeSlowed: (code) =>
      `多くのコードが試されたため、割引コード${code}は確認していません。1分後にもう一度お試しください。`,
    cardSlowed: (code) =>
      `多くのコードが試されたため、ギフトカード${code}は確認していません。1分後にもう一度お試しください。`,
    membersOnly: (title) => `${title}は会員限定です。ログインしてもう一度お試しください。`,
    tooMany: (most) => `1つの商品は${most}点までカートに入れられます。`,
    tooManyLines: (most) => `カートに入れられる商品は${most}種類までです。`,
    noVariant: "この商品はありません。",
  },
  forms: {
    tooManyFields: (most) => `フォームの項目は${most}個までです。`,
    tooMuch: "短時間に多くの送信がありました。1分後にもう一度お送りください。",
    loginFailed: "メールアドレスまたはパスワードが正しくありません。",
    accountFailed: "処理できませんでした。入力内容をご確認のうえ、もう一度お試しください。",
    notKept: "保存できませんでした。しばらくしてからもう一度お送りください。",
  },
  facets: {
    availability: "在庫状況",
    inStock: "在庫あり",
    soldOut: "売り切れ",
    price: "価格",
    productType: "商品タイプ",
    vendor: "ブランド",
    tag: "タグ",
  },
  orders: {
    paid: "支払い済み",
    pending: "支払い待ち",
    voided: "無効",
    unfulfilled: "未発送",
    fulfilled: "発送済み",
  },
  mails: {
    ordered: (number, shop) => `${shop} ご注文 #${number}`,
    thanks: (number) => `ご注文 #${number} ありがとうございます。`,
    cancelled: (number, shop) => `${shop} ご注文 #${number} はキャンセルされました`,
    wasCancelled: (number) => `ご注文 #${number} はキャンセルされました。`,
    shipped: (number, shop) => `${shop} ご注文 #${number} を発送しました`,
    wasShipped: (number) => `ご注文 #${number} を発送しました。`,
    carrier: "配送業者",
    trackingNumber: "お問い合わせ番号",
    track: "荷物を追跡する",
    messageFrom: (email) => `${email} からのメッセージ`,
    discount: "割引",
    delivery: "配送",
    balance: "ギフトカード・ストアクレジット",
    toPay: "お支払い金額",
    sentTo: "お届け先",
    note: "備考",
    state: "ご注文の状況",
  },
};
