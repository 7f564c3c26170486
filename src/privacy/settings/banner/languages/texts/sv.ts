import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Din integritet',
  message:
    'Den här webbplatsen använder kakor (cookies) och liknande tekniker. Vissa är absolut nödvändiga för att webbplatsen ska fungera. Med ditt samtycke kan webbplatsen och tjänster från tredje part även använda dem för att mäta hur webbplatsen används (statistik), visa relevant annonsering för dig (marknadsföring) och anpassa innehåll efter dina intressen (personanpassning). Du kan när som helst ändra eller återkalla ditt samtycke.',
  opt_out_message:
    'Den här webbplatsen och tjänster från tredje part använder kakor och liknande teknik för att mäta besök, visa relevanta annonser och anpassa innehåll. Du kan när som helst välja bort detta, även all försäljning eller delning av dina personuppgifter.',
  opt_out_text: 'Dina integritetsval',
  opted_out_text: 'Ditt bortval har respekterats',
  own_use_text:
    'Redan på: {categories}. Webbplatsen använder dessa data endast för egen del. Du kan stänga av detta när som helst.',
  accept_text: 'Godkänn alla',
  reject_text: 'Neka alla',
  manage_text: 'Hantera val',
  save_text: 'Spara val',
  privacy_text: 'Integritetspolicy',
  receipt_text: 'Ladda ner kvitto på mitt samtycke',
  consent_id_text: 'Samtyckes-ID',
  consent_id_help_text: 'Uppge detta ID när du kontaktar webbplatsens ägare om dina val.',
  withdraw_text: 'Återkalla samtycke',
  vendors_text: 'Tjänster och kakor',
  session_text: 'tills du stänger webbläsaren',
  until_deleted_text: 'tills det raderas',
  typical_text: '{duration} (vanligtvis)',
  reopen_text: 'Integritetsval',
  required_text: 'Alltid aktiva',
  placeholder_text:
    'Det här innehållet tillhandahålls av {host} och kan samla in uppgifter om dig.',
  load_text: 'Läs in en gång',
  always_text: 'Tillåt alltid {category}',
  shared_text: 'När du är inloggad gäller ditt val även på dina andra enheter där du är inloggad.',
  always_vendor_text: 'Tillåt alltid {vendor}',
  categories: {
    functional: {
      label: 'Absolut nödvändiga',
      description:
        'Krävs för att webbplatsen ska fungera, till exempel för att komma ihåg dina integritetsval eller hålla dig inloggad. Den här kategorin kan inte stängas av.',
    },
    analytics: {
      label: 'Statistik',
      description: 'Mäter besök och hur webbplatsen används, så att den kan förbättras.',
    },
    marketing: {
      label: 'Marknadsföring',
      description:
        'Visar relevant annonsering för dig och mäter dess effekt. Leverantörer kan kombinera dessa uppgifter från flera webbplatser.',
    },
    personalisation: {
      label: 'Personanpassning',
      description: 'Kommer ihåg dina val och anpassar innehåll efter dina intressen.',
    },
  },
} satisfies LanguageTexts;
