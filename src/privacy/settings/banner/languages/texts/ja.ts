import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'お客様のプライバシーについて',
  message:
    '当ウェブサイトは、Cookie および類似の技術を使用しています。その一部は、ウェブサイトの動作に必要不可欠です。お客様の同意がある場合、当ウェブサイトおよび第三者のサービスは、ウェブサイトの利用状況の測定（アクセス解析）、お客様に関連性の高い広告の表示（マーケティング）、お客様の関心に応じたコンテンツの調整（パーソナライズ）のためにもこれらを使用することがあります。同意はいつでも変更または撤回できます。',
  opt_out_message:
    'このサイトと第三者のサービスは、訪問の計測、関連性の高い広告の表示、コンテンツのパーソナライズのために、クッキーと類似の技術を使用しています。個人情報の販売や共有を含め、いつでもオプトアウトできます。',
  opt_out_text: 'プライバシーに関する選択',
  opted_out_text: 'オプトアウトの要求を適用しました',
  own_use_text:
    'すでに有効: {categories}。このサイトはこのデータを自らの目的にのみ使用します。いつでも無効にできます。',
  accept_text: 'すべて同意する',
  reject_text: 'すべて拒否する',
  manage_text: '設定を管理する',
  save_text: '設定を保存する',
  privacy_text: 'プライバシーポリシー',
  receipt_text: '同意の記録をダウンロードする',
  consent_id_text: '同意ID',
  consent_id_help_text:
    '選択内容について当ウェブサイトの運営者にお問い合わせの際は、このIDをお知らせください。',
  withdraw_text: '同意を撤回する',
  vendors_text: 'サービスとクッキー',
  session_text: 'ブラウザを閉じるまで',
  until_deleted_text: '削除されるまで',
  typical_text: '{duration}（通常）',
  reopen_text: 'プライバシー設定',
  required_text: '常に有効',
  placeholder_text:
    'このコンテンツは {host} が提供しており、お客様に関するデータを収集する場合があります。',
  load_text: '今回のみ読み込む',
  always_text: '「{category}」を常に許可する',
  shared_text: 'ログイン中の選択は、ログインしている他のデバイスにも適用されます。',
  always_vendor_text: '「{vendor}」を常に許可する',
  categories: {
    functional: {
      label: '必要不可欠',
      description:
        'ウェブサイトの動作に必要です。たとえば、プライバシー設定の保存やログイン状態の維持に使用します。このカテゴリーは無効にできません。',
    },
    analytics: {
      label: 'アクセス解析',
      description: 'ウェブサイトの改善のために、訪問およびウェブサイトの利用状況を測定します。',
    },
    marketing: {
      label: 'マーケティング',
      description:
        'お客様に関連性の高い広告を表示し、その効果を測定します。提供事業者は、複数のウェブサイトにわたってこのデータを組み合わせる場合があります。',
    },
    personalisation: {
      label: 'パーソナライズ',
      description: 'お客様の設定を記憶し、お客様の関心に応じてコンテンツを調整します。',
    },
  },
} satisfies LanguageTexts;
