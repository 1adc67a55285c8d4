"""Is this machine ready for this kit? Findings with a cure each, from what one replaceable probe reads."""
