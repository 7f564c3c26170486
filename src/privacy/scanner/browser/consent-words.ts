import { readFileSync } from 'node:fs';
// For the type alone; it also makes the compiler copy the file into the build.
import type raw from './consent-words.json';

/** Labels and texts of consent banners in one language: comma-separated beginnings of words or whole labels. */
export interface ConsentWords {
  /** Labels that accept everything. More words may follow, except those of `never`. */
  all: string;
  /** Labels that accept without an object. `and` and more words may follow. */
  accept: string;
  and: string;
  /** Labels that only acknowledge, which is all that some banners offer. */
  ok: string;
  /** Words for cookies: beginnings, or whole words of up to four letters. They are removed from labels first. */
  cookies: string;
  /** Other topics of banners: beginnings of words. */
  topic: string;
  /** Words that an accept button never has (refusal, selection, settings, purchase): beginnings, or whole words of up to three letters. */
  never: string;
  /** Labels that reject everything optional. More words may follow, except those that accept or buy. */
  reject: string;
  /** Words for "only": whole words. With a word of `necessary`, the label rejects. */
  only: string;
  /** Words for what needs no consent: beginnings of words. */
  necessary: string;
  /** Labels that open the choice by category. */
  settings: string;
  /** Labels that store a choice by category. */
  save: string;
  /** Labels that open a closed banner again, besides a word for cookies with a label of `settings`. */
  reopen: string;
  /** Words of purchases and contracts: beginnings, or whole words of up to three letters. */
  buy: string;
}

/**
 * By language code: the official languages of the European Union, then others. Labels are compared without case,
 * accents, punctuation and the words for cookies: "accepter les" is "Accepter les cookies".
 */
export const CONSENT_WORDS: Readonly<Record<string, ConsentWords>> = JSON.parse(
  readFileSync(new URL('consent-words.json', import.meta.url), 'utf8'),
) as typeof raw;

/** Words that may come first, as in "Yes, accept all", or alone beside "No". */
export const YES = `
  yes, yes please, ja, oui, sí, sì, sim, tak, ano, áno, da, да, так, igen, kyllä, jah, jā, taip,
  ναι, evet, já, نعم, כן, はい, 네, 예, 是, ok, okay, thanks, danke, merci, super`;

/** What buttons and headings of shops say, in several languages. Compared without case and accents. */
export const PURCHASE =
  /\b(place (your |my |the )?order|order now|buy now|your order|your (shopping )?(cart|basket|bag)|order (total|summary)|check ?out|pay now|purchase now|jetzt (kaufen|bestellen)|zahlungspflichtig|kostenpflichtig|warenkorb|zur kasse|votre (commande|panier)|panier|valider la commande|comprar ahora|tu (pedido|carrito)|realizar pedido|acquista ora|carrello|winkelwagen|bestelling|afrekenen|carrinho|finalizar compra|koszyk|zamowieni|kosik|objednav|kosar|varukorg|kundvagn|handlekurv|indkobskurv|ostoskori)|корзин|заказ|кошик|замовленн|количк|поръчк|καλαθι|παραγγελια|sepet|السلة|סל הקניות|购物车|購物車|订单|訂單|カート|注文|장바구니|주문/;

/** An amount of money, which no consent banner names but those that sell a way around consent. */
export const PRICE =
  /[€$£¥₺₽₴₪₩]\s?\d|\d\s?(€|£|₺|₽|₴|₪|₩|(eur|usd|chf|gbp|pln|zl|kc|ft|kr|sek|nok|dkk|lei)\b|лв|руб|грн)/;
