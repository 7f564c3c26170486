// Comes in by the banner alone (dynamic_load): no page names it.
window.lumenHeatmap = true;
