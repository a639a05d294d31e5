package live

import (
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
)

// Guard decides which requests are answered at all.
type Guard struct {
	// Names are those under which agents on other machines may ask, besides this
	// machine's own.
	Names []string
	// Token begins the path of every request, if there is one.
	Token string
}

// refuses returns why a request is not passed on, with the status it is answered with; 0:
// it is passed on. A web page that is open on this machine reaches the gateway as an agent
// does, also under a name of its own that leads to this machine. It can neither hide that
// it is a page nor ask for JSON unasked, so:
//
//	Host is a name of this machine, or an address   no page has another's address as its name
//	no Origin of a page, no Sec-Fetch-Site          every browser says them
//	a call of a model is JSON                       a form can't send that
//	the path begins with the token, if there is one
func (g *Guard) refuses(r *http.Request) (status int, why string) {
	switch site := r.Header.Get("Sec-Fetch-Site"); {
	case !g.named(r.Host):
		return http.StatusForbidden, "the request asks for the host " + r.Host + ", which is no name of this gateway"
	case ofPage(r.Header.Get("Origin")), site != "" && site != "none":
		return http.StatusForbidden, "a web page asks; only agents are answered"
	}
	if a, _ := apiOf(r); a != nil {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
			return http.StatusUnsupportedMediaType, "a call of a model is application/json"
		}
	}
	if g.Token != "" && !strings.HasPrefix(r.URL.Path, "/"+g.Token+"/") {
		return http.StatusForbidden, "the address lacks the gateway's token"
	}
	return 0, ""
}

// ofPage reports whether an Origin is a web page's, a shown file's, or an
// extension. Programs with a window of their own say others, such as app://.
func ofPage(origin string) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(origin), "://")
	return strings.Contains(scheme, "extension") || slices.Contains([]string{"null", "http", "https", "file", "vscode-webview"}, scheme)
}

// named reports whether a Host is an address, or a name of this machine.
func (g *Guard) named(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	own, _ := os.Hostname() // "": it has none
	_, err := netip.ParseAddr(host)
	return err == nil || host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		slices.ContainsFunc(append(g.Names, own), func(s string) bool { return s != "" && strings.EqualFold(s, host) })
}

// withoutToken is an address as the server knows it.
func (g *Guard) withoutToken(u *url.URL) *url.URL {
	out := *u
	if g.Token != "" {
		out.Path = strings.TrimPrefix(u.Path, "/"+g.Token)
		out.RawPath = strings.TrimPrefix(u.RawPath, "/"+g.Token)
	}
	return &out
}
