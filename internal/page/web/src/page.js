// The page's script. Everything that is shown comes from the server as HTML; this draws charts, keeps what people typed while the page is
// replaced under them, spreads a pasted column over rows, and says when the connection is lost.
import "htmx.org";
import "htmx-ext-sse";
import "./filter.js";
import "./forms.js";
import "./live.js";
import "./charts.js";
