import type { Messages } from "./messages.ts";

export const ja: Messages = {
  fields: { author: "お名前", body: "本文", country: "国", email: "メールアドレス" },
  faults: {
    blank: "を入力してください",
    email: "は name@example.com の形式で入力してください",
    tooLong: (characters) => `は${characters}文字以内で入力してください`,
    unsupported: "には発送できません",
  },
  forms: {
    tooManyFields: (most) => `フォームの項目は${most}個までです。`,
    tooMuch: "短時間に多くの送信がありました。1分後にもう一度お送りください。",
    loginFailed: "メールアドレスまたはパスワードが正しくありません。",
    accountFailed: "処理できませんでした。入力内容をご確認のうえ、もう一度お試しください。",
    notKept: "保存できませんでした。しばらくしてからもう一度お送りください。",
  },
};
