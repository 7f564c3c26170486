// Booking: tells the advert that somebody came this far, where it is allowed.
document.addEventListener('pavis:consent', ({ detail }) => {
  if (detail.accepted.includes('marketing')) {
    new Image().src = 'http://adtrail.localhost/px.gif?ev=Booking';
  }
});
