/** Headers in which proxies name the client. */
export const CLIENT_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const;

/** The same, and others that proxies and content delivery networks add. */
const FORWARDING =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-(?:cluster-)?client-ip|true-client-ip|client-ip|cf-.*|cdn-.*|fastly-.*|fly-.*|x-original-.*|x-envoy-.*|x-appengine-.*|x-azure-.*|x-amz(?:n)?-.*|x-proxyuser-ip|x-remote-(?:ip|addr)|proxy-connection)$/;

/** @param name in lower case */
export const isForwardingHeader = (name: string): boolean => FORWARDING.test(name);
