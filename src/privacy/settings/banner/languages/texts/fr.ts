import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: 'Votre vie privée',
  message:
    'Ce site utilise des cookies et des technologies similaires. Certains sont strictement nécessaires à son fonctionnement. Avec votre consentement, ce site et des services tiers peuvent également les utiliser pour mesurer la fréquentation et l’utilisation du site (mesure d’audience), vous proposer des annonces pertinentes (publicité) et adapter les contenus à vos centres d’intérêt (personnalisation). Vous pouvez modifier ou retirer votre consentement à tout moment.',
  opt_out_message:
    'Ce site et des services tiers utilisent des cookies et des technologies similaires pour mesurer la fréquentation, proposer des annonces pertinentes et personnaliser les contenus. Vous pouvez vous y opposer à tout moment, y compris à toute vente ou tout partage de vos données personnelles.',
  opt_out_text: 'Vos choix de confidentialité',
  opted_out_text: 'Demande d’opposition prise en compte',
  own_use_text:
    'Déjà activé : {categories}. Ce site utilise ces données uniquement pour lui-même. Vous pouvez désactiver cet usage à tout moment.',
  accept_text: 'Tout accepter',
  reject_text: 'Tout refuser',
  manage_text: 'Personnaliser mes choix',
  save_text: 'Enregistrer mes choix',
  privacy_text: 'Politique de confidentialité',
  receipt_text: 'Télécharger ma preuve de consentement',
  consent_id_text: 'Identifiant de consentement',
  consent_id_help_text:
    'Indiquez cet identifiant lorsque vous contactez l’exploitant de ce site au sujet de vos choix.',
  withdraw_text: 'Retirer mon consentement',
  vendors_text: 'Services et cookies',
  session_text: 'jusqu’à la fermeture du navigateur',
  until_deleted_text: 'jusqu’à suppression',
  typical_text: '{duration} (en général)',
  reopen_text: 'Gérer mes cookies',
  required_text: 'Toujours actifs',
  placeholder_text:
    'Ce contenu est fourni par {host} et peut collecter des données vous concernant.',
  load_text: 'Charger une fois',
  always_text: 'Toujours autoriser « {category} »',
  shared_text:
    'Si vous êtes connecté, votre choix s’applique aussi sur vos autres appareils où vous êtes connecté.',
  always_vendor_text: 'Toujours autoriser « {vendor} »',
  categories: {
    functional: {
      label: 'Strictement nécessaires',
      description:
        'Nécessaires au fonctionnement du site, par exemple pour mémoriser vos choix en matière de vie privée ou pour maintenir votre connexion. Cette catégorie ne peut pas être désactivée.',
    },
    analytics: {
      label: 'Mesure d’audience',
      description: 'Mesure les visites et l’utilisation du site afin de l’améliorer.',
    },
    marketing: {
      label: 'Publicité',
      description:
        'Vous propose des publicités pertinentes et en mesure l’efficacité. Les fournisseurs peuvent recouper ces données entre plusieurs sites.',
    },
    personalisation: {
      label: 'Personnalisation',
      description: 'Mémorise vos préférences et adapte les contenus à vos centres d’intérêt.',
    },
  },
} satisfies LanguageTexts;
