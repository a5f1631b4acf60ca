package routes

import "github.com/invbo/invbo/molecule/reaction"

// Shorten returns a route to the same product without detours.
func Shorten(blocks *reaction.Blocks, r *reaction.Route) *reaction.Route {
	return newPlanner(blocks).shorten(r)
}
