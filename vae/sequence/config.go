package sequence

import (
	"cmp"
	"fmt"
)

// Config holds the sizes of the network. A zero field takes the value of the published InfoTransformerVAE.
type Config struct {
	Vectors       int `json:"vectors"`        // m, latent vectors per string: m·Width latent dimensions; 2
	Width         int `json:"width"`          // of a latent vector and of the decoder; 128
	EncoderWidth  int `json:"encoder_width"`  // 2·Width; other widths add a linear layer, encoder_head
	EncoderLayers int `json:"encoder_layers"` // 6
	EncoderHeads  int `json:"encoder_heads"`  // 8
	EncoderHidden int `json:"encoder_hidden"` // units of the feed-forward block; 512
	DecoderLayers int `json:"decoder_layers"` // 6
	DecoderHeads  int `json:"decoder_heads"`  // 8
	DecoderHidden int `json:"decoder_hidden"` // 256
	MaxTokens     int `json:"max_tokens"`     // per string, stop included; 400
}

// DefaultMaxTokens is the default of Config.MaxTokens.
const DefaultMaxTokens = 400

// Compact returns the configuration of a smaller encoder with the published decoder.
func Compact() Config { return Config{EncoderWidth: 128, EncoderLayers: 3} }

func (c Config) withDefaults() Config {
	c.Vectors = cmp.Or(c.Vectors, 2)
	c.Width = cmp.Or(c.Width, 128)
	c.EncoderWidth = cmp.Or(c.EncoderWidth, 2*c.Width)
	c.EncoderLayers = cmp.Or(c.EncoderLayers, 6)
	c.EncoderHeads = cmp.Or(c.EncoderHeads, 8)
	c.EncoderHidden = cmp.Or(c.EncoderHidden, 512)
	c.DecoderLayers = cmp.Or(c.DecoderLayers, 6)
	c.DecoderHeads = cmp.Or(c.DecoderHeads, 8)
	c.DecoderHidden = cmp.Or(c.DecoderHidden, 256)
	c.MaxTokens = cmp.Or(c.MaxTokens, DefaultMaxTokens)
	return c
}

// check refuses invalid sizes, and sizes so large that they must come from a damaged file.
func (c Config) check() error {
	sizes := []int{c.Vectors, c.Width, c.EncoderWidth, c.EncoderLayers, c.EncoderHeads, c.EncoderHidden,
		c.DecoderLayers, c.DecoderHeads, c.DecoderHidden, c.MaxTokens}
	const largest = 4096
	for _, n := range sizes {
		if n < 1 || n > largest {
			return fmt.Errorf("sizes %+v: all must be from 1 to %d", c, largest)
		}
	}
	if c.Width%2 != 0 || c.EncoderWidth%2 != 0 {
		return fmt.Errorf("widths %d and %d: both must be even, for sinusoidal positions", c.Width, c.EncoderWidth)
	}
	if c.Width%c.DecoderHeads != 0 || c.EncoderWidth%c.EncoderHeads != 0 {
		return fmt.Errorf("width %d with %d heads, encoder width %d with %d: the heads must divide the width",
			c.Width, c.DecoderHeads, c.EncoderWidth, c.EncoderHeads)
	}
	if c.MaxTokens < c.Vectors {
		return fmt.Errorf("%d latent vectors need strings of as many tokens, and MaxTokens is %d", c.Vectors, c.MaxTokens)
	}
	return nil
}
