/** A text in single quotes of PHP, without the quotes. */
const escapeText = (text: string): string => text.replace(/[\\']/g, '\\$&');

/** `forms-pro`, for example, becomes `Forms_Pro_Licence`. Names in PHP do not begin with a digit. */
const toClassName = (slug: string): string => {
  const words = slug.split(/[-_]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${/^\d/.test(slug) ? 'Product_' : ''}${words.join('_')}_Licence`;
};

/**
 * The licence client of a product: its PHP template with the product, the address of the Licence API and the public
 * keys.
 * @param baseUrl without a slash at the end
 * @param keys of leases
 * @param releaseKeys in base64
 */
export function renderClientFile(
  template: string,
  {
    product,
    baseUrl,
    keys,
    releaseKeys,
  }: {
    product: string;
    baseUrl: string;
    keys: readonly { kid: string; publicKey: string }[];
    releaseKeys: readonly string[];
  },
): string {
  const listed = keys.map(({ kid, publicKey }) => `'${kid}' => '${publicKey}'`).join(', ');
  return template
    .replaceAll('Product_Licence_Client', toClassName(product))
    .replaceAll('{{product}}', product)
    .replace('{{base_url}}', () => escapeText(baseUrl))
    .replace('/*{{keys}}*/', listed)
    .replace('/*{{release_keys}}*/', releaseKeys.map((key) => `'${key}'`).join(', '));
}
