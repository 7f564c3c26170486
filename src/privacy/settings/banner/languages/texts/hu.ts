import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Az Ön adatvédelme',
  message:
    'Ez a webhely sütiket és hasonló technológiákat használ. Ezek egy része feltétlenül szükséges a webhely működéséhez. Az Ön hozzájárulásával a webhely és harmadik felek szolgáltatásai a webhely használatának mérésére (elemzés), Önnek szóló releváns hirdetések megjelenítésére (marketing) és a tartalomnak az Ön érdeklődéséhez igazítására (személyre szabás) is használhatják őket. Hozzájárulását bármikor módosíthatja vagy visszavonhatja.',
  opt_out_message:
    'Ez a webhely és harmadik felek szolgáltatásai sütiket és hasonló technológiákat használnak a látogatások mérésére, releváns hirdetések megjelenítésére és a tartalom személyre szabására. Ez ellen bármikor tiltakozhat, személyes adatainak bármilyen eladása vagy megosztása ellen is.',
  opt_out_text: 'Adatvédelmi beállításai',
  opted_out_text: 'A tiltakozást figyelembe vettük',
  own_use_text:
    'Már be van kapcsolva: {categories}. Ez a webhely ezeket az adatokat csak saját célra használja. Bármikor kikapcsolhatja.',
  accept_text: 'Összes elfogadása',
  reject_text: 'Összes elutasítása',
  manage_text: 'Beállítások kezelése',
  save_text: 'Beállítások mentése',
  privacy_text: 'Adatkezelési tájékoztató',
  receipt_text: 'Hozzájárulási igazolás letöltése',
  consent_id_text: 'Hozzájárulás azonosítója',
  consent_id_help_text:
    'Adja meg ezt az azonosítót, ha a beállításaival kapcsolatban a webhely üzemeltetőjéhez fordul.',
  withdraw_text: 'Hozzájárulás visszavonása',
  vendors_text: 'Szolgáltatások és sütik',
  session_text: 'a böngésző bezárásáig',
  until_deleted_text: 'törlésig',
  typical_text: '{duration} (jellemzően)',
  reopen_text: 'Adatvédelmi beállítások',
  required_text: 'Mindig aktív',
  placeholder_text: 'Ezt a tartalmat a(z) {host} szolgáltatja, és adatokat gyűjthet Önről.',
  load_text: 'Betöltés egyszer',
  always_text: 'Mindig engedélyezve: {category}',
  shared_text:
    'Ha be van jelentkezve, választása a többi olyan eszközén is érvényes, amelyen be van jelentkezve.',
  always_vendor_text: 'Mindig engedélyezve: {vendor}',
  categories: {
    functional: {
      label: 'Feltétlenül szükséges',
      description:
        'A webhely működéséhez szükséges, például az adatvédelmi beállításainak megjegyzéséhez vagy ahhoz, hogy bejelentkezve maradjon. Ez a kategória nem kapcsolható ki.',
    },
    analytics: {
      label: 'Elemzés',
      description:
        'Méri a látogatásokat és a webhely használatát, hogy a webhely fejleszthető legyen.',
    },
    marketing: {
      label: 'Marketing',
      description:
        'Releváns hirdetéseket jelenít meg Önnek, és méri azok hatását. A szolgáltatók ezeket az adatokat több webhelyről összekapcsolhatják.',
    },
    personalisation: {
      label: 'Személyre szabás',
      description: 'Megjegyzi a beállításait, és a tartalmat az Ön érdeklődéséhez igazítja.',
    },
  },
} satisfies LanguageTexts;
