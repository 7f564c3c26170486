import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Gizliliğiniz',
  message:
    'Bu internet sitesi çerezler ve benzeri teknolojiler kullanmaktadır. Bunların bir kısmı sitenin çalışması için kesinlikle gereklidir. Açık rızanız ile bu site ve üçüncü taraf hizmetleri, bunları ayrıca site kullanımını ölçmek (analiz), size ilgili reklamlar göstermek (pazarlama) ve içeriği ilgi alanlarınıza uyarlamak (kişiselleştirme) amacıyla kullanabilir. Rızanızı dilediğiniz zaman değiştirebilir veya geri alabilirsiniz.',
  opt_out_message:
    'Bu site ve üçüncü taraf hizmetler; ziyaretleri ölçmek, ilgili reklamlar göstermek ve içeriği kişiselleştirmek için çerezler ve benzer teknolojiler kullanır. Kişisel verilerinizin herhangi bir şekilde satılması veya paylaşılması dahil, buna istediğiniz zaman itiraz edebilirsiniz.',
  opt_out_text: 'Gizlilik seçimleriniz',
  opted_out_text: 'Reddetme isteğiniz uygulandı',
  own_use_text:
    'Zaten açık: {categories}. Bu site bu verileri yalnızca kendisi için kullanır. İstediğiniz zaman kapatabilirsiniz.',
  accept_text: 'Tümünü kabul et',
  reject_text: 'Tümünü reddet',
  manage_text: 'Tercihleri yönet',
  save_text: 'Tercihleri kaydet',
  privacy_text: 'Gizlilik politikası',
  receipt_text: 'Rıza belgemi indir',
  consent_id_text: 'Rıza kimliği',
  consent_id_help_text:
    'Seçimleriniz hakkında bu web sitesinin işletmecisiyle iletişime geçtiğinizde bu kimliği belirtin.',
  withdraw_text: 'Rızayı geri çek',
  vendors_text: 'Hizmetler ve çerezler',
  session_text: 'tarayıcıyı kapatana kadar',
  until_deleted_text: 'silinene kadar',
  typical_text: '{duration} (genellikle)',
  reopen_text: 'Gizlilik tercihleri',
  required_text: 'Her zaman etkin',
  placeholder_text: 'Bu içerik {host} tarafından sağlanmaktadır ve hakkınızda veri toplayabilir.',
  load_text: 'Bir kez yükle',
  always_text: 'Her zaman izin ver: {category}',
  shared_text:
    'Oturumunuz açıkken seçiminiz, oturumunuzun açık olduğu diğer cihazlarınızda da geçerlidir.',
  always_vendor_text: 'Her zaman izin ver: {vendor}',
  categories: {
    functional: {
      label: 'Kesinlikle gerekli',
      description:
        'Sitenin çalışması için gereklidir; örneğin gizlilik tercihlerinizi hatırlamak veya oturumunuzu açık tutmak için. Bu kategori kapatılamaz.',
    },
    analytics: {
      label: 'Analiz',
      description: 'Sitenin geliştirilebilmesi için ziyaretleri ve site kullanımını ölçer.',
    },
    marketing: {
      label: 'Pazarlama',
      description:
        'Size ilgili reklamlar gösterir ve bunların etkisini ölçer. Sağlayıcılar bu verileri farklı siteler arasında birleştirebilir.',
    },
    personalisation: {
      label: 'Kişiselleştirme',
      description: 'Tercihlerinizi hatırlar ve içeriği ilgi alanlarınıza uyarlar.',
    },
  },
} satisfies LanguageTexts;
