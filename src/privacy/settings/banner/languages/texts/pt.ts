import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'A sua privacidade',
  message:
    'Este sítio Web utiliza cookies e tecnologias semelhantes. Alguns são estritamente necessários para o seu funcionamento. Com o seu consentimento, este sítio Web e serviços de terceiros podem também utilizá-los para medir a utilização do sítio (análise), para lhe apresentar publicidade relevante (marketing) e para adaptar os conteúdos aos seus interesses (personalização). Pode alterar ou retirar o seu consentimento a qualquer momento.',
  opt_out_message:
    'Este site e serviços de terceiros utilizam cookies e tecnologias semelhantes para medir visitas, mostrar anúncios relevantes e personalizar conteúdos. Pode opor-se a qualquer momento, incluindo a qualquer venda ou partilha dos seus dados pessoais.',
  opt_out_text: 'As suas opções de privacidade',
  opted_out_text: 'Pedido de oposição respeitado',
  own_use_text:
    'Já ativo: {categories}. Este site utiliza estes dados apenas para si próprio. Pode desativar esta utilização a qualquer momento.',
  accept_text: 'Aceitar tudo',
  reject_text: 'Rejeitar tudo',
  manage_text: 'Gerir preferências',
  save_text: 'Guardar preferências',
  privacy_text: 'Política de privacidade',
  receipt_text: 'Transferir o comprovativo de consentimento',
  consent_id_text: 'Identificador do consentimento',
  consent_id_help_text:
    'Indique este identificador quando contactar o responsável por este sítio Web sobre as suas escolhas.',
  withdraw_text: 'Retirar o consentimento',
  vendors_text: 'Serviços e cookies',
  session_text: 'até fechar o navegador',
  until_deleted_text: 'até à eliminação',
  typical_text: '{duration} (normalmente)',
  reopen_text: 'Opções de privacidade',
  required_text: 'Sempre ativos',
  placeholder_text: 'Este conteúdo é disponibilizado por {host} e pode recolher dados sobre si.',
  load_text: 'Carregar uma vez',
  always_text: 'Permitir sempre «{category}»',
  shared_text:
    'Se tiver sessão iniciada, a sua escolha aplica-se também nos seus outros dispositivos em que tenha sessão iniciada.',
  always_vendor_text: 'Permitir sempre «{vendor}»',
  categories: {
    functional: {
      label: 'Estritamente necessários',
      description:
        'Necessários para o funcionamento do sítio Web, por exemplo para memorizar as suas opções de privacidade ou para manter a sessão iniciada. Esta categoria não pode ser desativada.',
    },
    analytics: {
      label: 'Análise',
      description: 'Mede as visitas e a utilização do sítio Web, para que possa ser melhorado.',
    },
    marketing: {
      label: 'Marketing',
      description:
        'Apresenta-lhe publicidade relevante e mede a sua eficácia. Os fornecedores podem combinar estes dados entre vários sítios Web.',
    },
    personalisation: {
      label: 'Personalização',
      description: 'Memoriza as suas preferências e adapta os conteúdos aos seus interesses.',
    },
  },
} satisfies LanguageTexts;
