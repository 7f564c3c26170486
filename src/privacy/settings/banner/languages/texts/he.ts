import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'הפרטיות שלך',
  message:
    'אתר זה משתמש בעוגיות ובטכנולוגיות דומות. חלקן הכרחיות לפעולת האתר. בהסכמתך, האתר ושירותים של צדדים שלישיים רשאים להשתמש בהן גם כדי למדוד את השימוש באתר (ניתוח נתונים), כדי להציג לך פרסום רלוונטי (שיווק) וכדי להתאים תוכן לתחומי העניין שלך (התאמה אישית). באפשרותך לשנות את הסכמתך או לחזור בך ממנה בכל עת.',
  accept_text: 'אישור הכול',
  reject_text: 'דחיית הכול',
  manage_text: 'ניהול העדפות',
  save_text: 'שמירת העדפות',
  privacy_text: 'מדיניות פרטיות',
  receipt_text: 'הורדת אישור ההסכמה שלי',
  consent_id_text: 'מזהה ההסכמה',
  consent_id_help_text: 'יש לציין מזהה זה בפנייה למפעיל האתר בנוגע לבחירות שלך.',
  withdraw_text: 'ביטול ההסכמה',
  vendors_text: 'שירותים ועוגיות',
  session_text: 'עד לסגירת הדפדפן',
  until_deleted_text: 'עד למחיקה',
  typical_text: '{duration} (בדרך כלל)',
  reopen_text: 'בחירות פרטיות',
  required_text: 'פעיל תמיד',
  placeholder_text: 'תוכן זה מסופק על ידי {host} ועשוי לאסוף נתונים עליך.',
  load_text: 'טעינה חד-פעמית',
  always_text: 'לאפשר תמיד: {category}',
  always_vendor_text: 'לאפשר תמיד: {vendor}',
  categories: {
    functional: {
      label: 'הכרחיות',
      description:
        'נדרשות לפעולת האתר, למשל כדי לזכור את בחירות הפרטיות שלך או כדי לשמור על החיבור שלך לחשבון. לא ניתן לכבות קטגוריה זו.',
    },
    analytics: {
      label: 'ניתוח נתונים',
      description: 'מודדת ביקורים ואת אופן השימוש באתר, כדי שניתן יהיה לשפר אותו.',
    },
    marketing: {
      label: 'שיווק',
      description:
        'מציגה לך פרסום רלוונטי ומודדת את השפעתו. ספקים עשויים לשלב נתונים אלה בין אתרים שונים.',
    },
    personalisation: {
      label: 'התאמה אישית',
      description: 'זוכרת את ההעדפות שלך ומתאימה תוכן לתחומי העניין שלך.',
    },
  },
} satisfies LanguageTexts;
