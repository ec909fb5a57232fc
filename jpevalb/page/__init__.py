"""One page for one system or several: what HTML reports and notebooks show."""
