// Counts visitors who read about the rooms to the end.
const end = new IntersectionObserver((entries) => {
  if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
  end.disconnect();
  new Image().src = 'http://adtrail.localhost/px.gif?ev=RoomsRead';
});
end.observe(document.getElementById('rooms-end'));
