import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Sua privacidade',
  message:
    'Este site utiliza cookies e tecnologias semelhantes. Alguns são estritamente necessários para o seu funcionamento. Com o seu consentimento, este site e serviços de terceiros também podem utilizá-los para medir o uso do site (análise), para exibir publicidade relevante para você (marketing) e para adaptar o conteúdo aos seus interesses (personalização). Você pode alterar ou revogar o seu consentimento a qualquer momento.',
  opt_out_message:
    'Este site e serviços de terceiros usam cookies e tecnologias semelhantes para medir visitas, mostrar anúncios relevantes e personalizar conteúdos. Você pode se opor a qualquer momento, inclusive a qualquer venda ou compartilhamento dos seus dados pessoais.',
  opt_out_text: 'Suas opções de privacidade',
  opted_out_text: 'Pedido de oposição atendido',
  own_use_text:
    'Já ativo: {categories}. Este site usa esses dados somente para si próprio. Você pode desativar esse uso a qualquer momento.',
  accept_text: 'Aceitar tudo',
  reject_text: 'Rejeitar tudo',
  manage_text: 'Gerenciar preferências',
  save_text: 'Salvar preferências',
  privacy_text: 'Política de privacidade',
  receipt_text: 'Baixar meu comprovante de consentimento',
  consent_id_text: 'ID de consentimento',
  consent_id_help_text:
    'Informe este ID ao entrar em contato com o responsável por este site sobre as suas escolhas.',
  withdraw_text: 'Revogar consentimento',
  vendors_text: 'Serviços e cookies',
  session_text: 'até você fechar o navegador',
  until_deleted_text: 'até a exclusão',
  typical_text: '{duration} (normalmente)',
  reopen_text: 'Opções de privacidade',
  required_text: 'Sempre ativos',
  placeholder_text: 'Este conteúdo é fornecido por {host} e pode coletar dados sobre você.',
  load_text: 'Carregar uma vez',
  always_text: 'Sempre permitir “{category}”',
  shared_text:
    'Se você estiver conectado à sua conta, sua escolha também vale em seus outros dispositivos em que você estiver conectado.',
  always_vendor_text: 'Sempre permitir “{vendor}”',
  categories: {
    functional: {
      label: 'Estritamente necessários',
      description:
        'Necessários para o funcionamento do site, por exemplo para lembrar suas opções de privacidade ou para manter sua sessão iniciada. Esta categoria não pode ser desativada.',
    },
    analytics: {
      label: 'Análise',
      description: 'Mede as visitas e o uso do site, para que ele possa ser melhorado.',
    },
    marketing: {
      label: 'Marketing',
      description:
        'Exibe publicidade relevante para você e mede a sua eficácia. Os fornecedores podem combinar esses dados entre vários sites.',
    },
    personalisation: {
      label: 'Personalização',
      description: 'Lembra suas preferências e adapta o conteúdo aos seus interesses.',
    },
  },
} satisfies LanguageTexts;
