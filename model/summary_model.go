package model

// Asked is what a record keeps of a summary that a model made.
type Asked struct {
	Host        string   `json:"host"`
	Model       string   `json:"model"`    // as the server names what answered
	Template    string   `json:"template"` // name and version of the prompt's wording
	Wording     string   `json:"wording"`
	Instruction string   `json:"instruction,omitempty"`
	Parts       int      `json:"parts"`            // in which the range was sent
	Calls       int      `json:"calls"`            // answered by the server
	Cached      int      `json:"cached,omitempty"` // answered from what was kept
	Input       int      `json:"input"`            // tokens as the server reports them; 0: it does not
	Output      int      `json:"output"`
	Withheld    int      `json:"withheld,omitempty"` // secrets and names that were not sent
	Flaws       []string `json:"flaws,omitempty"`    // what was found wrong with the answer
	Accepted    bool     `json:"accepted,omitempty"` // and applied all the same, on a person's word
	Sent        []Sent   `json:"sent,omitempty"`     // the texts that left the machine, where somebody wanted them kept
}

// Sent is one request to a model, word for word.
type Sent struct {
	Guard  string `json:"guard"` // the instruction beside the text
	Prompt string `json:"prompt"`
}
