import type { LanguageTexts } from '../schemas.ts';

export const texts = {
  title: '您的隐私',
  message:
    '本网站使用 Cookie 和类似技术。其中一些是网站运行所严格必需的。经您同意，本网站和第三方服务还可以使用这些技术来衡量网站的使用情况（分析）、向您展示相关广告（营销）以及根据您的兴趣调整内容（个性化）。您可以随时更改或撤回您的同意。',
  opt_out_message:
    '本网站和第三方服务使用 Cookie 及类似技术来统计访问、展示相关广告并个性化内容。您可以随时选择退出，包括退出对您个人信息的任何出售或共享。',
  opt_out_text: '您的隐私选择',
  opted_out_text: '已执行您的退出请求',
  own_use_text: '已启用：{categories}。本网站仅将这些数据用于自身。您可以随时关闭。',
  accept_text: '全部接受',
  reject_text: '全部拒绝',
  manage_text: '管理偏好设置',
  save_text: '保存偏好设置',
  privacy_text: '隐私政策',
  receipt_text: '下载我的同意凭证',
  consent_id_text: '同意编号',
  consent_id_help_text: '就您的选择联系本网站运营者时，请提供此编号。',
  withdraw_text: '撤回同意',
  vendors_text: '服务和 Cookie',
  session_text: '直到您关闭浏览器',
  until_deleted_text: '直到被删除',
  typical_text: '{duration}（通常）',
  reopen_text: '隐私选项',
  required_text: '始终启用',
  placeholder_text: '此内容由 {host} 提供，可能会收集有关您的数据。',
  load_text: '加载一次',
  always_text: '始终允许“{category}”',
  shared_text: '登录后，您的选择也适用于您已登录的其他设备。',
  always_vendor_text: '始终允许“{vendor}”',
  categories: {
    functional: {
      label: '严格必需',
      description: '网站运行所必需，例如用于记住您的隐私选择或保持您的登录状态。此类别无法关闭。',
    },
    analytics: {
      label: '分析',
      description: '衡量访问量和网站的使用情况，以便改进网站。',
    },
    marketing: {
      label: '营销',
      description: '向您展示相关广告并衡量其效果。提供商可能会跨网站合并这些数据。',
    },
    personalisation: {
      label: '个性化',
      description: '记住您的偏好并根据您的兴趣调整内容。',
    },
  },
} satisfies LanguageTexts;
