import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Su privacidad',
  message:
    'Este sitio web utiliza cookies y tecnologías similares. Algunas son estrictamente necesarias para su funcionamiento. Con su consentimiento, este sitio web y servicios de terceros también pueden utilizarlas para medir el uso del sitio (análisis), para mostrarle anuncios relevantes (publicidad) y para adaptar los contenidos a sus intereses (personalización). Puede modificar o retirar su consentimiento en cualquier momento.',
  opt_out_message:
    'Este sitio y servicios de terceros utilizan cookies y tecnologías similares para medir las visitas, mostrar anuncios relevantes y personalizar los contenidos. Puede oponerse en cualquier momento, también a cualquier venta o cesión de sus datos personales.',
  opt_out_text: 'Sus opciones de privacidad',
  opted_out_text: 'Solicitud de exclusión atendida',
  own_use_text:
    'Ya activado: {categories}. Este sitio utiliza estos datos solo para sí mismo. Puede desactivarlo en cualquier momento.',
  accept_text: 'Aceptar todo',
  reject_text: 'Rechazar todo',
  manage_text: 'Configurar preferencias',
  save_text: 'Guardar preferencias',
  privacy_text: 'Política de privacidad',
  receipt_text: 'Descargar mi justificante de consentimiento',
  consent_id_text: 'Identificador de consentimiento',
  consent_id_help_text:
    'Indique este identificador cuando se dirija al responsable de este sitio web en relación con sus preferencias.',
  withdraw_text: 'Retirar el consentimiento',
  vendors_text: 'Servicios y cookies',
  session_text: 'hasta que cierre el navegador',
  until_deleted_text: 'hasta que se elimine',
  typical_text: '{duration} (habitual)',
  reopen_text: 'Opciones de privacidad',
  required_text: 'Siempre activas',
  placeholder_text: 'Este contenido lo ofrece {host} y puede recoger datos sobre usted.',
  load_text: 'Cargar una vez',
  always_text: 'Permitir siempre «{category}»',
  shared_text:
    'Si ha iniciado sesión, su elección se aplica también en sus otros dispositivos en los que haya iniciado sesión.',
  always_vendor_text: 'Permitir siempre «{vendor}»',
  categories: {
    functional: {
      label: 'Estrictamente necesarias',
      description:
        'Necesarias para el funcionamiento del sitio web, por ejemplo para recordar sus opciones de privacidad o para mantener su sesión iniciada. Esta categoría no se puede desactivar.',
    },
    analytics: {
      label: 'Análisis',
      description: 'Mide las visitas y el uso del sitio web para poder mejorarlo.',
    },
    marketing: {
      label: 'Publicidad',
      description:
        'Le muestra publicidad relevante y mide su eficacia. Los proveedores pueden combinar estos datos entre distintos sitios web.',
    },
    personalisation: {
      label: 'Personalización',
      description: 'Recuerda sus preferencias y adapta los contenidos a sus intereses.',
    },
  },
} satisfies LanguageTexts;
