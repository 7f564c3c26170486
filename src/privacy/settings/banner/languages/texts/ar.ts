import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'خصوصيتك',
  message:
    'يستخدم هذا الموقع ملفات تعريف الارتباط وتقنيات مماثلة. بعضها ضروري للغاية لعمل الموقع. وبموافقتك، يجوز لهذا الموقع ولخدمات أطراف ثالثة استخدامها أيضًا لقياس استخدام الموقع (التحليلات)، ولعرض إعلانات ملائمة لك (التسويق)، ولتكييف المحتوى مع اهتماماتك (التخصيص). يمكنك تغيير موافقتك أو سحبها في أي وقت.',
  accept_text: 'قبول الكل',
  reject_text: 'رفض الكل',
  manage_text: 'إدارة التفضيلات',
  save_text: 'حفظ التفضيلات',
  privacy_text: 'سياسة الخصوصية',
  receipt_text: 'تنزيل إيصال موافقتي',
  consent_id_text: 'معرّف الموافقة',
  consent_id_help_text: 'اذكر هذا المعرّف عند التواصل مع مشغّل هذا الموقع بشأن خياراتك.',
  withdraw_text: 'سحب الموافقة',
  vendors_text: 'الخدمات وملفات تعريف الارتباط',
  session_text: 'حتى إغلاق المتصفح',
  until_deleted_text: 'حتى حذفها',
  typical_text: '{duration} (عادةً)',
  reopen_text: 'خيارات الخصوصية',
  required_text: 'مفعّلة دائمًا',
  placeholder_text: 'يقدّم {host} هذا المحتوى، وقد يجمع بيانات عنك.',
  load_text: 'التحميل مرة واحدة',
  always_text: 'السماح دائمًا بفئة «{category}»',
  always_vendor_text: 'السماح دائمًا بخدمة «{vendor}»',
  categories: {
    functional: {
      label: 'ضرورية للغاية',
      description:
        'مطلوبة لعمل الموقع، مثلًا لتذكّر خيارات الخصوصية الخاصة بك أو لإبقائك مسجّل الدخول. لا يمكن إيقاف هذه الفئة.',
    },
    analytics: {
      label: 'التحليلات',
      description: 'تقيس الزيارات وكيفية استخدام الموقع بهدف تحسينه.',
    },
    marketing: {
      label: 'التسويق',
      description:
        'تعرض لك إعلانات ملائمة وتقيس أثرها. ويجوز لمقدّمي الخدمات الجمع بين هذه البيانات عبر مواقع مختلفة.',
    },
    personalisation: {
      label: 'التخصيص',
      description: 'تتذكّر تفضيلاتك وتكيّف المحتوى مع اهتماماتك.',
    },
  },
} satisfies LanguageTexts;
