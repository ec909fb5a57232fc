"""Settings: options, presets, parameter files, and the policy for labels that follows from them."""
