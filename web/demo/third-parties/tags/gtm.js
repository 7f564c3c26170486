// A container as a tag manager serves it: what it holds, and the runner that fires it.
(() => {
  const data = {"resource":{"version":"7","macros":[{"function":"__e"}],"tags":[
    {"function":"__gaawe","vtp_measurementIdOverride":"G-HER0NDEM0","vtp_eventName":"page_view","tag_id":3},
    {"function":"__html","vtp_html":"\u003Cscript data-gtmsrc=\"http:\/\/adtrail.localhost\/conversion.js\"\u003E\u003C\/script\u003E","tag_id":5}
  ]}};
  window.google_tag_manager = { ...window.google_tag_manager, 'GTM-PV1SDEM0': { data } };

  document.cookie = '_ga=GA1.1.1000000000.1700000000; path=/demo/; max-age=63072000; samesite=lax';
  const add = (src) => {
    const script = document.createElement('script');
    script.src = src;
    document.head.append(script);
  };
  add('http://tags.localhost/gtag/js?id=G-HER0NDEM0');
  add('http://adtrail.localhost/conversion.js');
})();
