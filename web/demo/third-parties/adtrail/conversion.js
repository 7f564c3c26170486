// Counts a view, then passes the visitor on to a partner.
new Image().src = 'http://adtrail.localhost/px.gif?ev=PageView';
new Image().src = 'http://adtrail.localhost/sync.gif';
