package main

// paper holds results of Chu et al. 2024, by task, method and oracle calls: mean ± standard error of ten
// runs, from the table "Optimization results of applying InvBO or inversion method" of the appendix.
var paper = map[string]map[string]map[int]string{
	"expression": {
		"lbo":         {100: "1.274 ± 0.147", 300: "0.512 ± 0.046", 500: "0.425 ± 0.020"},
		"lbo+inv":     {100: "1.306 ± 0.128", 300: "0.506 ± 0.114", 500: "0.317 ± 0.048"},
		"turbo":       {100: "1.424 ± 0.126", 300: "0.885 ± 0.083", 500: "0.605 ± 0.094"},
		"turbo+invbo": {100: "0.898 ± 0.161", 300: "0.692 ± 0.139", 500: "0.374 ± 0.060"},
		"lolbo":       {100: "0.953 ± 0.109", 300: "0.578 ± 0.053", 500: "0.412 ± 0.039"},
		"lolbo+invbo": {100: "0.739 ± 0.142", 300: "0.510 ± 0.031", 500: "0.392 ± 0.023"},
		"cobo":        {100: "0.752 ± 0.122", 300: "0.526 ± 0.057", 500: "0.391 ± 0.006"},
		"cobo+invbo":  {100: "0.840 ± 0.173", 300: "0.513 ± 0.075", 500: "0.252 ± 0.067"},
	},
}
