/** Where a program asks for an application password, as in WordPress. */
export const AUTHORIZE_PATH = '/wp-admin/authorize-application.php';
