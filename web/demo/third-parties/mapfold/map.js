// Stands for a map's own code, which runs within its frame.
document.documentElement.dataset.ready = 'true';
