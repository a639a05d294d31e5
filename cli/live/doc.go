// Package live serves agents that run: what compactions took away is found again
// over the Model Context Protocol.
package live
